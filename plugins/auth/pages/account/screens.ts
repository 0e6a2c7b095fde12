import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill, labelOf } from '#core/surfaces/pages/texts.js';
import type { Enrolment } from './enrolment.js';
import type { PasskeyCeremony } from './new-passkey.js';
import { passkeyForm } from '../passkeys/form.js';
import { passkeyScript } from '../passkeys/script.js';
import { alert, branded, button, field, oneButton, view } from '../parts.js';
import type { PageProblem } from '../problem.js';
import type { Visit } from '../visit.js';

interface ScreenFacts {
  script?: string;
  problem?: PageProblem | undefined;
  links?: Markup;
  /** The label of the link back. */
  back?: string;
  heading?: Markup;
}

/** A separate screen between two visits of the account page. */
export function screenView(visit: Visit, title: string, body: Markup, more: ScreenFacts = {}): PageAnswer {
  const { problem, script, links, back = visit.texts.common.back, heading = title } = more;
  return view(visit, {
    title,
    status: problem?.status ?? 200,
    ...(script === undefined ? {} : { script }),
    body: html`<div class="card">
      ${alert(problem)}
      <h1>${heading}</h1>
      ${body}
      <div class="foot-links">${links}<a href=${`${visit.root}/account`}>${back}</a></div>
    </div>`,
  });
}

/** Asks for the code that was sent to a new address. */
export function verifyAddressView(
  visit: Visit,
  { challengeId, sentTo }: { challengeId: string; sentTo: string },
  problem?: PageProblem,
): PageAnswer {
  const { account, code, common } = visit.texts;
  return screenView(
    visit,
    code.title,
    html`
      <p>${fill(code.sent, { email: html`<strong><bdi>${sentTo}</bdi></strong>` })}</p>
      <form method="post">
        <input type="hidden" name="challengeId" value=${challengeId} />
        ${field({ name: 'code', label: common.code, hint: code.hint, autocomplete: 'one-time-code', numeric: true, maxLength: 12, autofocus: !problem, problem })}
        <div class="stack">${button('verify-address', common.continue)}</div>
      </form>
    `,
    { problem, heading: fill(account.verifyHeading, { email: html`<bdi>${sentTo}</bdi>` }) },
  );
}

/** The ceremony that creates a passkey. */
export function newPasskeyView(visit: Visit, { challengeId, options }: PasskeyCeremony): PageAnswer {
  const { account, passkeyStep } = visit.texts;
  return screenView(
    visit,
    account.addPasskey,
    html`
      <p>${passkeyStep.lead}</p>
      ${passkeyForm(visit, { options, challengeId, ceremony: 'create', action: 'register-passkey', label: account.addPasskey, named: true })}
    `,
    { script: passkeyScript },
  );
}

/** The QR code for a new authenticator app, and the field for its first code. */
export function enrolView(
  visit: Visit,
  { factorId, secret, qrSvg }: Enrolment,
  more: Pick<ScreenFacts, 'problem'>,
): PageAnswer {
  const { account, common, code } = visit.texts;
  return screenView(
    visit,
    account.addFactor,
    html`
      <h2>${account.scanHeading}</h2>
      <p>${account.scanLead}</p>
      <div class="qr" role="img" aria-label=${account.scanHeading}>
        <img alt="" src=${`data:image/svg+xml;base64,${Buffer.from(qrSvg).toString('base64')}`} />
      </div>
      <p>${labelOf(visit.lang, account.secret)} <span class="secret">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</span></p>
      <form method="post">
        <input type="hidden" name="factorId" value=${factorId} />
        ${field({ name: 'code', label: common.code, hint: code.hint, autocomplete: 'one-time-code', numeric: true, maxLength: 12, problem: more.problem })}
        <label class="choice"
          ><input type="checkbox" name="endOthers" value="yes" checked /> ${account.endOthers}</label
        >
        <div class="stack">${button('activate', account.activate)}</div>
      </form>
    `,
    { ...more, links: oneButton('enrol-again', account.newSecret, {}, 'plain') },
  );
}

/** Replaces the recovery codes once they are no longer shown. */
export const recoveryShownView = (visit: Visit): PageAnswer =>
  screenView(
    visit,
    visit.texts.account.factor,
    html`
      <p>${visit.texts.account.recoveryShown}</p>
      ${oneButton('regenerate', visit.texts.account.newRecovery)}
    `,
  );

/** Shown after the account was deleted. */
export function deletedView(visit: Visit): PageAnswer {
  const { account } = visit.texts;
  return view(visit, {
    title: account.deletedHeading,
    body: html`<div class="card">
      <div role="status"><h1>${account.deletedHeading}</h1></div>
      <p>${branded(visit, account.deletedText)}</p>
    </div>`,
  });
}
