import type { PageAnswer } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { html } from '#core/surfaces/pages/html.js';
import { pathOf, redirectWithResult } from '../form-result.js';
import { alert, oneButton, status, view } from '../parts.js';
import { signedInAs } from '../user-label.js';
import { signedOut } from '../session.js';
import { signedInPage, signInCodes, toSecondFactor, toSignIn, type SignedInVisit } from '../signed-in.js';
import { outcomes } from '../texts/texts.js';
import { attempt, type PageProblem } from '../problem.js';
import type { Visit } from '../visit.js';
import { act } from './actions.js';
import { confirmPath, confirmView } from './confirm.js';
import { loadAccount } from './load.js';
import {
  addressesSection,
  appsSection,
  deletionSection,
  factorSection,
  isFolded,
  organizationsSection,
  passkeysSection,
  passwordSection,
  profileSection,
  sessionsSection,
  refusedIn,
} from './sections.js';
import { showScreen, screens, type Screen } from './show-screen.js';

/** The page where people see and change how they sign in. */
const accountPage = signedInPage(
  { path: '/auth/{environmentId}/account', methods: ['GET', 'POST'] },
  async (signedIn) => {
    const { page, visit } = signedIn;
    if (page.method === 'POST') return answerForm(signedIn);
    const confirm = page.query.get('confirm');
    if (confirm !== null) return confirmView(signedIn, confirm);
    const screen = screens.find((each) => each === page.query.get('step'));
    if (!screen) return accountView(signedIn);
    const tried = await attempt(visit, () => showScreen(signedIn, screen), signInCodes);
    return 'done' in tried ? tried.done : afterProblem(signedIn, tried.problem);
  },
);

export default accountPage;

async function answerForm(signedIn: SignedInVisit): Promise<PageAnswer> {
  const { page, visit } = signedIn;
  const action = page.form.get('do') ?? '';
  const tried = await attempt(visit, () => act(action, signedIn), signedOut);
  return 'done' in tried ? tried.done : afterProblem(signedIn, inWordsOf(visit, action, tried.problem), action);
}

/**
 * Steps with a code are shown again, so that the code can be entered again. Every other problem is shown on the account
 * page.
 */
async function afterProblem(signedIn: SignedInVisit, problem: PageProblem, action?: string): Promise<PageAnswer> {
  const { page, visit } = signedIn;
  const account = `${visit.root}/account`;
  // Folded forms are open when the person returns, so that they can continue where they left off.
  const next = action !== undefined && isFolded(action) ? `${account}?open=${action}` : pathOf(page);
  if (problem.code === 'reauth_required') return toSignIn(page, visit, true, next);
  const away = problem.code === 'mfa_required' ? await toSecondFactor(signedIn, next) : null;
  if (away) return away;
  if (action === 'activate' && problem.code === 'challenge_used') return seeOther(`${account}?step=recovery`);
  if (action === 'delete' && problem.code === 'confirmation_mismatch')
    return redirectWithResult(signedIn, `${account}${confirmPath('delete')}`, { problem });
  const isCode = problem.code === 'wrong_code' || problem.field === 'code';
  const screen = isCode && action !== undefined ? screenOfCode.get(action) : undefined;
  return redirectWithResult(signedIn, screen === undefined ? account : `${account}?step=${screen}`, { problem });
}

const screenOfCode: ReadonlyMap<string, Screen> = new Map([
  ['verify-address', 'address'],
  ['activate', 'authenticator'],
]);

/** The texts of some problems are about signing in, but a person on the account page is already signed in. */
function inWordsOf({ texts: { account } }: Visit, action: string, problem: PageProblem): PageProblem {
  if (action === 'register-passkey' && problem.code === 'passkey_rejected')
    return { ...problem, text: account.passkeyFailed };
  if (action === 'activate' && problem.code === 'wrong_code') return { ...problem, text: account.wrongFirstCode };
  if (action === 'set-password' && problem.code === 'invalid_credentials')
    return { ...problem, text: account.wrongPassword };
  return problem;
}

async function accountView(signedIn: SignedInVisit): Promise<PageAnswer> {
  const { visit, result } = signedIn;
  const refused = refusedIn(result);
  const { account: texts, common, done, errors } = visit.texts;
  const data = await loadAccount(signedIn);
  const away = data.more === null ? await toSecondFactor(signedIn) : null;
  if (away) return away;
  const outcome = outcomes.find((each) => each === result.done);
  const said = outcome && done[outcome];
  // A session that lacks a required second factor can do nothing else until the factor is set up.
  const required = data.more === null ? { status: 403, code: 'mfa_required', text: errors.mfa_required } : undefined;
  return view(visit, {
    title: texts.title,
    status: refused?.problem.status ?? 200,
    body: html`
      <div class="who wide">
        <div>
          <h1>${texts.title}</h1>
          <p class="muted">${signedInAs(visit, data.me.user)}</p>
        </div>
        ${oneButton('signout', common.signOut)}
      </div>
      ${status(said)} ${alert(required ?? (refused && !isFolded(refused.action) ? refused.problem : undefined))}
      ${
        data.more === null
          ? factorSection(visit, data)
          : [
              profileSection(visit, data),
              addressesSection(visit, data, refused),
              data.methods.password && passwordSection(visit, data, refused),
              data.methods.passkey && passkeysSection(visit, data),
              factorSection(visit, data),
              sessionsSection(visit, data),
              appsSection(visit, data),
              organizationsSection(visit, data),
              data.selfDelete && deletionSection(visit, data),
            ]
      }
    `,
  });
}
