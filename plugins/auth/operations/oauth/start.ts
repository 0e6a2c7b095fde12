import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, optional, text, url } from '#core/kernel/schema/schema.js';
import { shift } from '#core/runtime/clock.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { tokenLength } from '../../access-token.js';
import { minutes } from '../../tables/lifetimes.js';
import { clientOf, findApp, isUsable } from '../../oauth/apps.js';
import { ProviderProblem } from '../../providers/provider-problem.js';
import { providerFailed } from '../../oauth/problem.js';
import { sealVerifier, startedId } from '../../oauth/states.js';
import { loadSettings } from '../../settings/load.js';
import { bindingFields, readReturn } from '../../challenges/return-target.js';
import { oauthStates } from '../../tables/oauth-state.js';

const name = 'auth.oauth.start';

export default defineOperation({
  name,
  summary:
    'Starts a sign-in with an external provider. Returns the URL to send the browser to and a value that binds the sign-in to that browser.',
  description:
    'Uses OAuth 2.0 or OpenID Connect with PKCE, state and nonce. Store `browserToken` in the browser, then send the browser to `authorizationUrl`. It returns to `redirectTo` with `code`, `state` and, from some providers, `iss`, or with `error`. Pass them to auth.oauth.complete with the browserToken within ten minutes. With `accessToken`, the provider’s account is added to that user.',
  keywords: 'social login google github microsoft apple gitlab linkedin oidc sso link account connect',
  access: 'publishable',
  // Requirements for the user whom the account is added to.
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  limits: [perIp({ name, max: 30, windowSeconds: 600, description: '30 per IP address in 10 minutes' })],
  showsSecret: 'stored encrypted',
  input: object({
    provider: text('A provider that auth.signin.methods lists.', { minLength: 1, maxLength: 64 }),
    redirectTo: url('Where the browser returns to. Must be one of the environment’s redirect URLs.'),
    handoff: optional(
      boolean('Whether completing the sign-in returns redirectTo with a one-time svc_code instead of tokens.'),
    ),
    ...bindingFields,
    accessToken: optional(
      text('The access token of the signed-in user to add the provider’s account to.', tokenLength),
    ),
  }),
  output: object({
    authorizationUrl: url('The URL to send the browser to.'),
    state: text('Returned with the browser.'),
    browserToken: text('Stored by this browser and passed at completion.'),
  }),
  errors: ['method_disabled', 'redirect_not_allowed', 'provider_not_configured', 'provider_failed'],
  events: ['auth.oauth.started'],
  example: {
    input: { provider: 'google', redirectTo: 'https://app.example.com/signed-in' },
    output: {
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=1234567890&response_type=code',
      state: 'q0Zt2vJ6mXc1LrYb8HdKfWgP4sNaUeT7iOxB3yRkVjM',
      browserToken: 'D5hQwEzR2tYuI8oPaSxDcFvGbHnJmKl1qAzWsXeCrVt',
    },
  },

  async prepare({ provider, ...wanted }, context) {
    const { db, caller, clock, vault, http, deployment, fail } = context;
    const { environment } = caller;
    const settings = await loadSettings(db, environment.id);
    const target = readReturn(context, environment, settings, wanted);
    const app = await findApp(db, environment.id, provider);
    if (!app)
      throw fail.provider_not_configured({
        owner: 'This environment',
        provider: `sign-in with ${provider}`,
        nextStep: 'Configure it with auth.oauth.app.set. auth.signin.methods lists the configured providers.',
      });
    if (!isUsable(app, settings)) throw fail.method_disabled({ method: provider });
    const secrets = { state: randomToken(43), nonce: randomToken(43), codeVerifier: randomToken(64) };
    const client = clientOf(app, vault, deployment);
    const plainHttp = environment.kind === 'test';
    // Loaded on first use: most deployments have no providers.
    const [{ configureClient }, { authorizationUrl }] = await Promise.all([
      import('../../oauth/configure.js'),
      import('../../oauth/authorize.js'),
    ]);
    try {
      const configured = await configureClient(client, { http, clock, plainHttp, environmentId: environment.id });
      return { secrets, target, authorizationUrl: authorizationUrl(configured, secrets) };
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      throw providerFailed(fail, app.name, error);
    }
  },

  async handle(
    input,
    { db, caller, clock, vault, emit, audit, prepared: { secrets, target, authorizationUrl: address } },
  ) {
    const { environment, user } = caller;
    const { provider, redirectTo } = input;
    const now = clock.now();
    const browserToken = randomToken(43);
    const stateDigest = sha256(secrets.state);
    await db.defer(
      oauthStates.insertRows([
        {
          stateDigest,
          environmentId: environment.id,
          provider,
          browserDigest: sha256(browserToken),
          nonce: secrets.nonce,
          codeVerifier: sealVerifier(vault, stateDigest, secrets.codeVerifier),
          ...target,
          redirectTo,
          hosted: caller.kind === 'page',
          userId: user?.userId ?? null,
          sessionId: user?.sessionFamilyId ?? null,
          providerUser: null,
          createdAt: now,
          expiresAt: shift(now, minutes.oauth * 60_000),
          usedAt: null,
        },
      ]),
    );
    const subjectId = startedId(stateDigest);
    const userId = user?.userId ?? null;
    emit('auth.oauth.started', { subjectId, ...(userId && { personId: userId }), data: { provider, userId } });
    audit({
      subject: { type: 'challenge', id: subjectId },
      summary: user ? `Sent a user to ${provider} to add an account.` : `Sent a browser to ${provider} to sign in.`,
      changes: [{ field: 'provider', from: null, to: provider }],
      ...(userId && { personId: userId }),
    });
    return { authorizationUrl: address, state: secrets.state, browserToken };
  },
});
