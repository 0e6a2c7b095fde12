import { isRefusal, type Refusal } from '#core/kernel/errors/errors.js';
import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { optional, text, object } from '#core/kernel/schema/schema.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { clientOf, findApp, isUsable } from '../../oauth/apps.js';
import { linkToUser, signInWith } from '../../oauth/finish.js';
import { ProviderProblem } from '../../providers/provider-problem.js';
import { providerFailed } from '../../oauth/problem.js';
import { findState, secretsOf, startedId } from '../../oauth/states.js';
import { replaySeconds } from '../../sessions/tokens.js';
import { loadSettings } from '../../settings/load.js';
import { SignInResult } from '../../signin/result.js';
import { oauthIdentity, type IdentityFacts } from '../../identities/normalize.js';
import { providerOf } from '../../providers/providers.js';
import type { Client } from '../../providers/provider.js';

const operation = 'auth.oauth.complete';
const start = 'auth.oauth.start';

export default defineOperation({
  name: operation,
  summary:
    'Exchanges the provider’s code and signs the user in. An existing user is matched only by a verified identity, never by an unverified address.',
  description:
    'The user is the one who linked the provider’s account or, if there is none, the one with its address if both the provider and svc have verified it; otherwise a new user is created. Each state works once. After auth.oauth.start with an accessToken, the account is added to that user and `tokens` is null, because the session continues. A user has at most 20 provider accounts.',
  keywords: 'social login callback google github microsoft apple gitlab linkedin oidc sso code exchange',
  access: 'publishable',
  limits: [perIp({ name: operation, max: 30, windowSeconds: 600, description: '30 per IP address in 10 minutes' })],
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({
    code: text('`code` of the URL that the browser returned to.', { minLength: 1, maxLength: 4_096 }),
    state: text('`state` of that URL.', { minLength: 1, maxLength: 200 }),
    browserToken: text('The browserToken from auth.oauth.start, kept by the same browser.', {
      minLength: 1,
      maxLength: 200,
    }),
    issuer: optional(text('`iss` of that URL, if present.', { minLength: 1, maxLength: 2_048 })),
  }),
  output: SignInResult,
  errors: [
    'state_mismatch',
    'provider_failed',
    'identity_taken',
    'identity_unverified',
    'signup_closed',
    'signup_domain_blocked',
    'user_banned',
    'challenge_expired',
    'limit_reached',
  ],
  events: [
    'auth.signin.completed',
    'auth.signin.failed',
    'auth.user.created',
    'auth.identity.added',
    'auth.mfa.required',
  ],
  example: {
    input: {
      code: '4/0AVMBsJ',
      state: 'q0Zt2vJ6mXc1LrYb8HdKfWgP4sNaUeT7iOxB3yRkVjM',
      browserToken: 'D5hQwEzR2tYuI8oPaSxDcFvGbHnJmKl1qAzWsXeCrVt',
    },
    output: {
      status: 'complete',
      tokens: exampleTokens,
      user: exampleUser,
      mfa: null,
      redirectTo: 'https://app.example.com/signed-in',
    },
  },

  /**
   * Calls the provider, outside the transaction. If the provider fails, the failure is remembered there, because it
   * also uses up the state.
   */
  async prepare({ code, state, browserToken, issuer }, { db, caller, clock, vault, http, deployment, fail }) {
    const { environment } = caller;
    const row = await findState(db, state);
    const isOwn = row?.environmentId === environment.id && equalBytes(row.browserDigest, sha256(browserToken));
    if (!isOwn || row.usedAt) throw fail.state_mismatch();
    if (row.expiresAt <= clock.now()) throw fail.challenge_expired({ start });
    const app = await findApp(db, environment.id, row.provider);
    if (!app || !isUsable(app, await loadSettings(db, environment.id)))
      return {
        row,
        providerName: row.provider,
        problem: new ProviderProblem('failed', 'it has been turned off since'),
      };
    const client = clientOf(app, vault, deployment);
    const plainHttp = environment.kind === 'test';
    // Loaded on first use, as in auth.oauth.start.
    const [{ configureClient }, { exchangeCode }] = await Promise.all([
      import('../../oauth/configure.js'),
      import('../../oauth/exchange.js'),
    ]);
    try {
      const configured = await configureClient(client, { http, clock, plainHttp, environmentId: environment.id });
      const returned = { code, issuer, posted: row.providerUser };
      const profile = await exchangeCode(configured, secretsOf(vault, row, state), returned);
      return { row, providerName: app.name, profile, account: accountIdentity(client, profile.subject) };
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      return { row, providerName: app.name, problem: error };
    }
  },

  async handle(_, context) {
    const { db, caller, clock, fail, refuse, emit, prepared } = context;
    const { environment } = caller;
    const { row, providerName, problem } = prepared;
    // The row decides between concurrent completions. The values posted with the code are no longer needed.
    const claimed = await db.run(
      'UPDATE auth_oauth_state SET used_at = ?, provider_user = NULL WHERE state_digest = ? AND used_at IS NULL',
      [clock.now(), row.stateDigest],
    );
    if (claimed.affectedRows === 0) throw fail.state_mismatch();
    const failed = (reason: string): string =>
      emit('auth.signin.failed', {
        subjectId: startedId(row.stateDigest),
        ...(row.userId && { personId: row.userId }),
        data: { method: 'oauth', reason, userId: row.userId },
      });
    if (problem) {
      failed('provider_failed');
      return providerFailed(refuse, providerName, problem);
    }
    const arrival = { state: row, providerName, account: prepared.account, profile: prepared.profile };
    const answer = row.userId
      ? await linkToUser(context, environment, row.userId, arrival)
      : await signInWith(context, environment, arrival);
    // completeSignIn reports a banned user itself.
    if (isRefusal(answer) && !isReported(answer, row.userId)) failed(answer.refusal.code);
    return answer;
  },
});

const isReported = ({ refusal }: Refusal, linkingUser: string | null): boolean =>
  refusal.code === 'user_banned' && linkingUser === null;

/**
 * The identity of an account at a provider. Another issuer under the same provider name has separate accounts: its ids,
 * often small numbers, must not give access to the accounts of users who linked the first one.
 */
function accountIdentity({ provider: name, issuer }: Client, subject: string): IdentityFacts {
  const identity = oauthIdentity(name, subject);
  const provider = providerOf(name);
  const usual = provider.protocol === 'oidc' ? provider.issuer : null;
  if (issuer === usual) return identity;
  const tag = sha256(issuer ?? '')
    .toString('base64url')
    .slice(0, 8);
  return { ...identity, key: `${name}:${tag}:${subject}` };
}
