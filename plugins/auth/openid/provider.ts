import { createPrivateKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Provider, { errors, interactionPolicy, type ClientMetadata, type JWK } from 'oidc-provider';
import type { Environment, Visitor } from '#core/kernel/caller/caller.js';
import type { Services } from '#core/kernel/services.js';
import { at, textAt } from '#core/runtime/json.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { isAppScheme } from '#core/surfaces/pages/app-scheme.js';
import type { Apps, AppValue } from '../settings/apps.js';
import { loadSettings } from '../settings/load.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { activeKey, signerAmong } from '../signing-keys/active.js';
import { openPrivateKey } from '../signing-keys/keys.js';
import { isPublished } from '../signing-keys/resources.js';
import { appSecrets, type AppSecretRow } from '../tables/app-secret.js';
import { openidApps } from '../tables/openid-app.js';
import { signingKeys, type SigningKeyRow } from '../tables/signing-key.js';
import { saveGrant } from './record-grant.js';
import { grantIdOf, maySignIn, openidSession, scopeClaims, sessionIdOf, userClaims, type AppIds } from './session.js';
import { openidRoutes } from './routes.js';
import { openidStore } from './store.js';

/** What svc knows of a request to the provider. */
export interface OpenidRequest {
  /** The session that the browser is signed in with; null if it is not. */
  sessionId: string | null;
  visitor: Visitor;
  /** Shows the page that asks whether to sign out. */
  logoutPage(form: { action: string; xsrf: string; returnsTo: string | undefined }): string;
  /** Shows why a browser cannot be sent back to the app. */
  errorPage(status: number, error: string, description: string | undefined): string;
  /** Shows the page after signing out. */
  signedOutPage(): string;
  /** Ends the session that the browser is signed in with. */
  signOut(): Promise<void>;
}

/** What svc knows of the requests that are being answered. */
const requests = new WeakMap<IncomingMessage, OpenidRequest>();

/** Gives the provider what svc knows of a request. */
export const describeRequest = (request: IncomingMessage, known: OpenidRequest): unknown =>
  requests.set(request, known);

/** The provider of an environment, and the version of keys and settings that it was made from. */
const providers = new Map<string, { version: string; provider: Provider }>();
const maxProviders = 200;

/** The provider of an environment, and the apps that it knows. */
export interface OpenidProvider {
  provider: Provider;
  apps: Apps;
  ids: AppIds;
}

/**
 * The OpenID provider of an environment. Keys, settings and secrets are read each time, in one round trip and without a
 * transaction; the provider is made again if one of them has changed.
 * @returns null if the environment has no apps
 */
export async function openidProvider(services: Services, environment: Environment): Promise<OpenidProvider | null> {
  const { database, clock } = services;
  const environmentId = environment.id;
  const [settings, keys, secrets, stored] = await Promise.all([
    loadSettings(database, environmentId),
    database.find(signingKeys, { environmentId }),
    database.find(appSecrets, { environmentId }),
    database.find(openidApps, { environmentId }),
  ]);
  if (Object.keys(settings.apps).length === 0) return null;
  const now = clock.now();
  const signer =
    signerAmong(keys, now) ??
    (await services.transaction('Signing keys', (context) => activeKey(context, environmentId)));
  // The key that signs comes first: the library signs with the first key of an algorithm.
  const others = keys.filter((key) => key.id !== signer.id && isPublished(key, now) && key.privateKey !== null);
  const usable = [signer, ...others];
  const { apps, claims, accessTokenSeconds, refreshTokenSeconds } = settings;
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const ids = new Map(stored.map(({ appId, id }) => [appId, id]));
  const version = sha256(
    JSON.stringify([
      [apps, claims, accessTokenSeconds, refreshTokenSeconds],
      [usable.map(({ id }) => id), valid, [...ids]],
    ]),
  ).toString('hex');
  const known = providers.get(environmentId);
  if (known?.version === version) return { provider: known.provider, apps, ids };
  const provider = makeProvider(services, environment, { settings, keys: usable, secrets: valid, ids });
  providers.delete(environmentId);
  if (providers.size >= maxProviders) for (const oldest of [...providers.keys()].slice(0, 1)) providers.delete(oldest);
  providers.set(environmentId, { version, provider });
  return { provider, apps, ids };
}

interface Parts {
  settings: AuthSettingsValue;
  keys: readonly SigningKeyRow[];
  secrets: readonly AppSecretRow[];
  ids: AppIds;
}

function makeProvider(services: Services, { id }: Environment, { settings, keys, secrets, ids }: Parts): Provider {
  const { vault, deployment, log } = services;
  const issuer = `${deployment.baseUrl}/auth/${id}`;
  const [first] = keys;
  if (!first) throw new Error(`The environment ${id} does not have a signing key.`);
  const algorithm = first.algorithm;
  const custom = Object.keys(settings.claims);
  const provider: Provider = new Provider(issuer, {
    adapter: (model) => openidStore(services, id, model, ids),
    clients: Object.entries(settings.apps).map(([appId, app]) => clientOf(appId, app, algorithm)),
    jwks: { keys: keys.map((key) => privateJwk(services, key)) },
    routes: openidRoutes,
    // Several environments share a host, so the cookies' names contain the environment.
    cookies: {
      names: { session: `svc_oidc_${id}`, interaction: `svc_oidc_at_${id}`, resume: `svc_oidc_resume_${id}` },
      keys: [vault.digest(`cookies ${id}`, { table: 'auth_openid_record', column: 'cookies' }).toString('base64url')],
    },
    claims: scopeClaims(custom),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: [algorithm], userinfoSigningAlgValues: [algorithm] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource(ctx) {
          ctx.body = requests.get(ctx.req)?.logoutPage({
            action: ctx.oidc.urlFor('end_session_confirm'),
            xsrf: textAt(ctx.oidc.session?.state, 'secret') ?? '',
            returnsTo: textAt(ctx.oidc.session?.state, 'postLogoutRedirectUri') ?? undefined,
          });
        },
        postLogoutSuccessSource(ctx) {
          ctx.body = requests.get(ctx.req)?.signedOutPage();
        },
      },
    },
    renderError(ctx, { error, error_description: description }) {
      ctx.type = 'html';
      ctx.body = requests.get(ctx.req)?.errorPage(ctx.status, error, description);
    },
    ttl: {
      AccessToken: (_ctx, _token, client) =>
        settings.apps[client.clientId]?.accessTokenSeconds ?? settings.accessTokenSeconds,
      RefreshToken: () => settings.refreshTokenSeconds,
      Grant: () => settings.refreshTokenSeconds,
      Session: () => settings.refreshTokenSeconds,
      AuthorizationCode: 60,
      IdToken: 3_600,
      Interaction: 3_600,
    },
    interactions: {
      url: (_, { uid }) => `/auth/${id}/oidc/interaction/${uid}`,
      policy: policyOf(),
    },
    async findAccount(ctx, userId, token) {
      const grantId = token && 'grantId' in token ? token.grantId : undefined;
      const sessionId = token ? sessionIdOf(grantId ?? '') : requests.get(ctx.req)?.sessionId;
      const found = sessionId ? await openidSession(services, id, sessionId) : null;
      if (found?.user.id !== userId) return undefined;
      // What an app holds ends when its user may no longer sign in to it. A sign-in is refused in loadExistingGrant.
      const app = token ? settings.apps[token.clientId ?? ''] : undefined;
      if (app && !(await maySignIn(services, app, userId))) return undefined;
      return { accountId: userId, claims: () => userClaims(services, found) };
    },
    async loadExistingGrant(ctx) {
      const { client, account } = ctx.oidc;
      const known = requests.get(ctx.req);
      if (!client || !account || !known?.sessionId) return undefined;
      const { sessionId, visitor } = known;
      const { clientId: appId } = client;
      const app = settings.apps[appId];
      if (app && !(await maySignIn(services, app, account.accountId)))
        throw new errors.AccessDenied(`This account may not sign in to ${app.name}. Ask its administrator for access.`);
      const grantId = grantIdOf(sessionId, appId, ids);
      const found = await provider.Grant.find(grantId);
      if (app?.firstParty !== true) return found;
      // An own app needs no consent: it gets what it asks for.
      const scopes = [...ctx.oidc.requestParamOIDCScopes];
      const granted = found?.getOIDCScope().split(' ') ?? [];
      if (found && scopes.every((each) => granted.includes(each))) return found;
      const grant = found ?? new provider.Grant({ accountId: account.accountId, clientId: appId });
      grant.jti = grantId;
      grant.addOIDCScope(scopes.join(' '));
      await saveGrant(grant, {
        visitor,
        userId: account.accountId,
        appId,
        appName: app.name,
        sessionId,
        scopes,
        isNew: !found,
      });
      return grant;
    },
  });
  // Signing out at an app ends the session of svc, before the browser leaves.
  provider.use(async (ctx, next) => {
    await next();
    const known = requests.get(ctx.req);
    const signsOut = at(ctx.oidc, 'route') === 'end_session_confirm' && textAt(ctx.oidc, 'params', 'logout') !== null;
    if (ctx.status !== 303 || !signsOut) return;
    // The library also ends its own session if another person has signed in meanwhile.
    if (!ctx.response.get('Location').includes(`${openidRoutes.authorization}/`)) await known?.signOut();
  });
  // The address of svc may differ from that of a proxy in front of it (see pages/openid/endpoint.ts).
  provider.proxy = true;
  // Only digests of secrets are stored.
  provider.Client.prototype.compareClientSecret = function compare(
    this: { clientId: string },
    actual: string,
  ): boolean {
    const digest = sha256(actual);
    return secrets.some(({ appId, secretDigest }) => appId === this.clientId && equalBytes(secretDigest, digest));
  };
  provider.on('server_error', (_, error) => log.error({ err: error, environmentId: id }, 'openid provider failed'));
  return provider;
}

/** Asks for a sign-in unless the browser is signed in as the person whom the provider knows. */
function policyOf(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'svc_session',
        'End-User authentication is required',
        'login_required',
        (ctx) => !ctx.oidc.account,
      ),
    );
  return policy;
}

function clientOf(appId: string, app: AppValue, algorithm: SigningKeyRow['algorithm']): ClientMetadata {
  const isNative = app.redirectUrls.some((each) => isAppScheme(new URL(each).protocol));
  return {
    client_id: appId,
    client_name: app.name,
    scope: ['openid', ...app.scopes].join(' '),
    application_type: isNative ? 'native' : 'web',
    redirect_uris: [...app.redirectUrls],
    post_logout_redirect_uris: [...app.logoutUrls],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    id_token_signed_response_alg: algorithm,
    // The library requires a secret. The real ones are compared by their digests.
    ...(app.kind === 'public'
      ? { token_endpoint_auth_method: 'none' as const }
      : { token_endpoint_auth_method: 'client_secret_basic' as const, client_secret: `of ${appId}` }),
  };
}

function privateJwk({ vault }: Services, { id, algorithm, privateKey }: SigningKeyRow): JWK {
  if (!privateKey) throw new Error(`The signing key ${id} does not have a private half.`);
  const key = createPrivateKey({ key: openPrivateKey(vault, id, privateKey), format: 'der', type: 'pkcs8' });
  return { ...key.export({ format: 'jwk' }), kid: id, alg: algorithm, use: 'sig' };
}
