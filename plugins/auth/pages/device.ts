import type { PageAnswer } from '#core/kernel/page.js';
import type { ReplyOf } from '#core/kernel/operation.js';
import { html } from '#core/surfaces/pages/html.js';
import { fill, fillText, formatDateTime } from '#core/surfaces/pages/texts.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { shownUserCode, typedUserCode } from '../devices.js';
import approve from '../operations/device/approve.js';
import deny from '../operations/device/deny.js';
import describe from '../operations/device/describe.js';
import meGet from '../operations/me/get.js';
import { toSetUp } from './account/destination.js';
import { redirectWithResult } from './form-result.js';
import { alert, button, fact, field, view } from './parts.js';
import { signedInAs } from './user-label.js';
import { signedInPage, signInCodes, signInPath, toSecondFactor, type SignedInVisit } from './signed-in.js';
import { attempt, type PageProblem } from './problem.js';
import type { Visit } from './visit.js';

/**
 * Where a person approves a device or a command line (RFC 8628 section 3.3). The code in the address only fills in the
 * form.
 */
const devicePage = signedInPage(
  { path: '/auth/{environmentId}/device', methods: ['GET', 'POST'] },
  async (signedIn) => {
    const { page, visit, accessToken, result } = signedIn;
    if (page.method === 'POST') return answerForm(signedIn);
    if (result.done === 'approved' || result.done === 'denied') return decidedView(visit, result.done);
    const userCode = (page.query.get('user_code') ?? '').trim();
    if (userCode === '' || result.problem) return askView(visit, userCode, result.problem);
    const tried = await attempt(
      visit,
      () => page.call(describe, { accessToken, userCode }, visit.options),
      signInCodes,
    );
    if ('done' in tried) return confirmView(signedIn, userCode, tried.done);
    return (await toSecondStep(signedIn, tried.problem)) ?? askView(visit, userCode, ofDevices(visit, tried.problem));
  },
);

export default devicePage;

/**
 * An entered code goes into the address, as if a device had shown the complete address, so that the page can be
 * reloaded.
 */
async function answerForm(signedIn: SignedInVisit): Promise<PageAnswer> {
  const { page, visit, accessToken } = signedIn;
  const userCode = (page.form.get('userCode') ?? '').trim();
  const action = page.form.get('do');
  const path = `${visit.root}/device`;
  if (action !== 'approve' && action !== 'deny')
    return seeOther(userCode === '' ? path : `${path}?${new URLSearchParams({ user_code: userCode }).toString()}`);
  const input = { accessToken, userCode };
  const tried = await attempt(
    visit,
    async () => {
      if (action === 'approve') await page.call(approve, input, visit.options);
      else await page.call(deny, input, visit.options);
    },
    signInCodes,
  );
  if ('done' in tried)
    return redirectWithResult(signedIn, path, { done: action === 'approve' ? 'approved' : 'denied' });
  const { problem } = tried;
  return (
    (await toSecondStep(signedIn, problem)) ??
    redirectWithResult(signedIn, path, { problem: ofDevices(visit, problem) })
  );
}

/** The page where a session without a required second factor passes it or sets it up; null for every other problem. */
async function toSecondStep(signedIn: SignedInVisit, { code }: PageProblem): Promise<PageAnswer | null> {
  if (code !== 'mfa_required') return null;
  return (await toSecondFactor(signedIn)) ?? toSetUp(signedIn);
}

const ofDevices = ({ texts }: Visit, problem: PageProblem): PageProblem =>
  problem.code === 'challenge_expired' ? { ...problem, text: texts.device.unknownCode } : problem;

function decidedView(visit: Visit, decision: 'approved' | 'denied'): PageAnswer {
  const { device: texts } = visit.texts;
  const heading = decision === 'approved' ? texts.approvedHeading : texts.deniedHeading;
  return view(visit, {
    title: heading,
    body: html`<div class="card">
      <div role="status"><h1>${heading}</h1></div>
      <p>${decision === 'approved' ? texts.approvedText : texts.deniedText}</p>
    </div>`,
  });
}

function askView(visit: Visit, userCode: string, problem?: PageProblem): PageAnswer {
  const { device: texts, common } = visit.texts;
  return view(visit, {
    title: texts.title,
    status: problem?.status ?? 200,
    body: html`<div class="card">
      ${alert(problem)}
      <h1>${texts.heading}</h1>
      <p>${texts.lead}</p>
      <form method="post">
        ${field({ name: 'userCode', label: texts.userCode, autocomplete: 'off', value: userCode, maxLength: 20, autofocus: !problem, problem })}
        <div class="stack">${button('describe', common.continue)}</div>
      </form>
    </div>`,
  });
}

async function confirmView(
  { page, visit, accessToken }: SignedInVisit,
  userCode: string,
  asked: ReplyOf<typeof describe>,
): Promise<PageAnswer> {
  const { device: texts, common } = visit.texts;
  const { user } = await page.call(meGet, { accessToken }, visit.options);
  const { clientName, scope, requestedFrom, expiresAt } = asked;
  const client = html`<bdi>${clientName}</bdi>`;
  const { ip, location } = requestedFrom;
  const from = [visit.placeOf(ip) ?? location, ip].filter((each) => each !== null).join(' · ');
  return view(visit, {
    title: fillText(texts.confirmHeading, { client: clientName }),
    body: html`<div class="card">
      <h1>${fill(texts.confirmHeading, { client })}</h1>
      <p>
        ${fill(texts.confirmLead, { code: html`<strong class="usercode">${shownUserCode(typedUserCode(userCode))}</strong>` })}
      </p>
      <p class="muted">${signedInAs(visit, user)}</p>
      <dl class="facts">
        ${fact(texts.from, html`${from}<br /><small class="muted">${requestedFrom.userAgent ?? common.unknown}</small>`)}
        ${scope !== null && fact(texts.scope, scope)}
        ${fact(texts.expires, html`<time datetime=${expiresAt}>${formatDateTime(visit.formatTag, new Date(expiresAt))}</time>`)}
      </dl>
      <form method="post">
        <input type="hidden" name="userCode" value=${userCode} />
        <div class="stack">${button('approve', texts.approve)} ${button('deny', texts.deny, true)}</div>
      </form>
      <div class="foot-links"><a href=${signInPath(page, visit)}>${common.otherAccount}</a></div>
    </div>`,
  });
}
