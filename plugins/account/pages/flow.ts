import { typedCode, typedDigits } from '#core/kernel/schema/typed.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { PageCallOptions, PageRequest, PageCookie } from '#core/kernel/page.js';
import { at } from '#core/runtime/json.js';
import accept from '../operations/member/accept.js';
import { mistakes, type Mistake } from '../members/invite-texts/texts.js';
import { sha256 } from '#core/runtime/secrets/digest.js';

/*
 * Signing in to the dashboard on the invitation's own page, and accepting. The page calls auth's operations by name, in
 * the environment that issues dashboard sessions. Each form is answered with a redirect. Between forms, the address
 * holds the current step, and a cookie holds the sign-in that is waiting for its second step.
 */

/** What the page asks for next. */
export type Step =
  /** Send a code to the invited address or, if codes are off, sign in on the hosted page. */
  | { kind: 'start'; mistake?: Mistake; signInPage?: string }
  | { kind: 'code'; challengeId: string; mistake?: Mistake }
  | { kind: 'second'; mfaToken: string; mistake?: Mistake }
  /** Confirm, after returning from the hosted sign-in page. */
  | { kind: 'confirm'; handoffCode: string }
  | { kind: 'done' };

export type OpenStep = Exclude<Step, { kind: 'done' }>;

export interface Visit {
  page: PageRequest;
  /** What this visit's calls of account count against. */
  limits: Pick<PageCallOptions, 'limits'>;
  environment: Environment;
  token: string;
  email: string;
  /** The language of the mail with the code. */
  lang: string;
  baseUrl: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Refusals after which a new code must be sent. */
const ended = [
  'challenge_expired',
  'challenge_used',
  'challenge_locked',
  'mfa_token_invalid',
  'code_invalid',
  'code_used',
  'code_expired',
  'session_revoked',
  'not_found',
];

interface Mistaken {
  mistake?: Mistake;
}

/** States why no sign-in is waiting for its second step. If the browser sent no cookies, it may not accept any. */
const nothingWaits = ({ cookies }: PageRequest): { mistake: Mistake } => ({
  mistake: cookies.size === 0 ? 'nothingWaits' : 'codeEnded',
});

/** Whether the address belongs to a sign-in in progress on this page; see `addressAfter`. */
export const isUnderWay = ({ query }: PageRequest): boolean =>
  ['challenge', 'step', 'mistake', 'svc_code'].some((name) => query.has(name));

/** The mistake that an address contains; see `addressAfter`. */
const mistakeIn = ({ query }: PageRequest): Mistaken => {
  const mistake = mistakes.find((each) => each === query.get('mistake'));
  return mistake === undefined ? {} : { mistake };
};

/** The step that a form leads to. */
type NextStep = Exclude<Step, { kind: 'confirm' }>;

/** Where a form leads, so that reloading the page does not send or submit a code again. */
export function addressAfter(step: NextStep, token: string): string {
  const query = new URLSearchParams({ token });
  if (step.kind === 'done') query.set('joined', 'yes');
  if (step.kind === 'code') query.set('challenge', step.challengeId);
  if (step.kind === 'second') query.set('step', 'second');
  if (step.kind !== 'done' && step.mistake !== undefined) query.set('mistake', step.mistake);
  return `?${query.toString()}`;
}

/** What the page shows when it is opened. */
export async function firstStep(visit: Visit): Promise<OpenStep> {
  const { page, token } = visit;
  const handoffCode = page.query.get('svc_code');
  if (handoffCode !== null) return { kind: 'confirm', handoffCode };
  const challengeId = page.query.get('challenge');
  const mistake = mistakeIn(page);
  const mfaToken = waitingSignIn(page, token);
  const isSecond = page.query.get('step') === 'second';
  if (isSecond && mfaToken !== undefined) return { kind: 'second', mfaToken, ...mistake };
  if (isSecond) return startOf(visit, nothingWaits(page));
  if (challengeId !== null) return { kind: 'code', challengeId, ...mistake };
  return startOf(visit, mistake);
}

async function startOf({ page, environment, token, email, baseUrl }: Visit, mistake: Mistaken): Promise<OpenStep> {
  const methods = at(await page.call('auth.signin.methods', {}, { environment }), 'methods');
  if (at(methods, 'code') === true) return { kind: 'start', ...mistake };
  const back = `${baseUrl}/invite?${new URLSearchParams({ token }).toString()}`;
  const query = new URLSearchParams({ redirectTo: back, email });
  return { kind: 'start', ...mistake, signInPage: `/auth/${environment.id}/signin?${query.toString()}` };
}

/** A longer text is not a code. */
const longestCode = 200;

/** The step that a submitted form leads to. @throws SvcError for what the visitor cannot correct here */
export async function nextStep(visit: Visit): Promise<NextStep> {
  const { page, email, lang, environment, token } = visit;
  const { form } = page;
  const call = (name: string, input: object): Promise<unknown> => page.call(name, input, { environment });
  const challengeId = form.get('challengeId') ?? '';
  const mfaToken = waitingSignIn(page, token);
  const code = typedDigits((form.get('code') ?? '').slice(0, longestCode)).trim();
  switch (form.get('do')) {
    case 'code':
      return tried({ kind: 'code', challengeId }, async () =>
        afterSignIn(visit, await call('auth.signin.verify', { challengeId, code: typedCode(code) })),
      );
    case 'second':
      if (mfaToken === undefined) return { kind: 'start', ...nothingWaits(page) };
      return tried({ kind: 'second', mfaToken }, async () =>
        afterSignIn(
          visit,
          /^\d+$/.test(typedCode(code))
            ? await call('auth.mfa.verify', { mfaToken, code: typedCode(code) })
            : await call('auth.mfa.recover', { mfaToken, recoveryCode: code }),
        ),
      );
    case 'confirm':
      return tried({ kind: 'start' }, async () =>
        afterSignIn(visit, await call('auth.session.exchange', { code: form.get('handoffCode') ?? '' })),
      );
    default: {
      const started = await call('auth.signin.start', { email, locale: lang });
      return { kind: 'code', challengeId: textOf(at(started, 'challengeId')) };
    }
  }
}

type RepeatableStep = Exclude<NextStep, { kind: 'done' }>;

/** Runs a form's call. If the visitor can correct the refusal, it leads back to the form, or to a new code. */
async function tried(again: RepeatableStep, call: () => Promise<NextStep>): Promise<NextStep> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    if (error.code === 'wrong_code' || error.code === 'invalid_input') return { ...again, mistake: 'wrongCode' };
    if (ended.includes(error.code)) return { kind: 'start', mistake: 'codeEnded' };
    throw error;
  }
}

/** Accepts with the new session, then ends it: nobody keeps its tokens. */
async function afterSignIn({ page, token, environment, limits }: Visit, signedIn: unknown): Promise<NextStep> {
  if (at(signedIn, 'status') === 'mfa_required')
    return { kind: 'second', mfaToken: textOf(at(signedIn, 'mfa', 'mfaToken')) };
  const accessToken = textOf(at(signedIn, 'tokens', 'accessToken'));
  try {
    await page.call(accept, { token, accessToken }, limits);
    return { kind: 'done' };
  } finally {
    const refreshToken = textOf(at(signedIn, 'tokens', 'refreshToken'));
    await page.call('auth.session.signout', { refreshToken }, { environment }).catch(() => undefined);
  }
}

/*
 * A sign-in on the invitation's page that is waiting for its second step. Its mfaToken is in a cookie, as on the
 * sign-in pages, so that the page can be reloaded and its address contains no token.
 */

/** How long the sign-in waits (docs/sign-in.md). */
const lifetimeSeconds = 600;

/** One for each invitation, because two may be open in one browser. */
const nameOf = (token: string): string => `svc_invite_${sha256(token).toString('hex').slice(0, 16)}`;

/** The mfaToken of the sign-in that is waiting here; undefined if there is none. @param token the invitation's */
const waitingSignIn = ({ cookies }: PageRequest, token: string): string | undefined =>
  cookies.get(nameOf(token)) || undefined;

/**
 * The cookie to set after a form: it stores the waiting sign-in or, if there is none, removes the cookie. @param token
 * the invitation's
 */
export const waitingCookie = (token: string, mfaToken: string | undefined): PageCookie => ({
  name: nameOf(token),
  value: mfaToken ?? '',
  maxAgeSeconds: mfaToken === undefined ? 0 : lifetimeSeconds,
});
