import type { PageAnswer } from '#core/kernel/page.js';
import type { ReplyOf } from '#core/kernel/operation.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill, fillText, formatDateTime } from '#core/surfaces/pages/texts.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { shownUserCode, typedUserCode } from '../../devices/codes.js';
import approve from '../../operations/device/approve.js';
import deny from '../../operations/device/deny.js';
import describe from '../../operations/device/describe.js';
import meGet from '../../operations/me/get.js';
import { alert, button, field, view } from '../parts.js';
import { signedInPage, signInCodes, toSecondFactor, type SignedInVisit } from '../signed-in.js';
import { attempt, type PageProblem, type Visit } from '../visit.js';

/** Where a person approves a device or a command line (RFC 8628 section 3.3). The code in the address only fills in the form. */
const devicePage = signedInPage(
  { path: '/auth/{environmentId}/device', methods: ['GET', 'POST'] },
  async (signedIn) => {
    const { page, visit, accessToken } = signedIn;
    const userCode = (page.form.get('userCode') ?? page.query.get('user_code') ?? '').trim();
    const action = page.form.get('do');
    if (action === 'approve' || action === 'deny') return decide(signedIn, userCode, action);
    if (userCode === '') return askView(visit, '');
    const tried = await attempt(
      visit,
      () => page.call(describe, { accessToken, userCode }, visit.options),
      signInCodes,
    );
    return 'problem' in tried
      ? afterProblem(signedIn, userCode, tried.problem)
      : confirmView(signedIn, userCode, tried.done);
  },
);

export default devicePage;

/** Asks for the code again; a session without a required second factor passes or sets it up first. */
async function afterProblem(signedIn: SignedInVisit, userCode: string, problem: PageProblem): Promise<PageAnswer> {
  const { visit } = signedIn;
  if (problem.code === 'challenge_expired')
    return askView(visit, userCode, { ...problem, text: visit.texts.device.unknownCode });
  if (problem.code !== 'mfa_required') return askView(visit, userCode, problem);
  return (await toSecondFactor(signedIn)) ?? seeOther(`${visit.root}/account`);
}

async function decide(signedIn: SignedInVisit, userCode: string, action: 'approve' | 'deny'): Promise<PageAnswer> {
  const { page, visit, accessToken } = signedIn;
  const input = { accessToken, userCode };
  const tried = await attempt(
    visit,
    async () => {
      if (action === 'approve') await page.call(approve, input, visit.options);
      else await page.call(deny, input, visit.options);
    },
    signInCodes,
  );
  if ('problem' in tried) return afterProblem(signedIn, '', tried.problem);
  const { device: texts } = visit.texts;
  const approved = action === 'approve';
  const heading = approved ? texts.approvedHeading : texts.deniedHeading;
  return view(visit, {
    title: heading,
    body: html`<div class="card">
      <div role="status"><h1>${heading}</h1></div>
      <p>${approved ? texts.approvedText : texts.deniedText}</p>
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
  const { device: texts, common, account } = visit.texts;
  const { user } = await page.call(meGet, { accessToken }, visit.options);
  const { clientName, scope, requestedFrom, expiresAt } = asked;
  const client = html`<bdi>${clientName}</bdi>`;
  const fact = (name: string, value: Markup): Markup =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  const from = [requestedFrom.location, requestedFrom.ip].filter((each) => each !== null).join(' · ');
  return view(visit, {
    title: fillText(texts.confirmHeading, { client: clientName }),
    body: html`<div class="card">
      <h1>${fill(texts.confirmHeading, { client })}</h1>
      <p>
        ${fill(texts.confirmLead, { code: html`<strong class="usercode">${shownUserCode(typedUserCode(userCode))}</strong>` })}
      </p>
      <p class="muted">
        ${fill(account.signedInAs, { email: html`<bdi>${user.email ?? user.phone ?? user.name}</bdi>` })}
      </p>
      <dl class="facts">
        ${fact(texts.from, html`${from}<br /><small class="muted">${requestedFrom.userAgent ?? common.unknown}</small>`)}
        ${scope !== null && fact(texts.scope, scope)}
        ${fact(texts.expires, html`<time datetime=${expiresAt}>${formatDateTime(visit.lang, new Date(expiresAt))}</time>`)}
      </dl>
      <form method="post">
        <input type="hidden" name="userCode" value=${userCode} />
        <div class="stack">${button('approve', texts.approve)} ${button('deny', texts.deny, true)}</div>
      </form>
    </div>`,
  });
}
