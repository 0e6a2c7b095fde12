import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween, newFields, withheld } from '#core/kernel/audit/changes.js';
import type { Change } from '#core/kernel/context.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { newId, idBytes } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { exampleOAuthApp } from '../../../examples.js';
import { appFacts, appInput } from '../../../oauth/app-input.js';
import {
  callbackUrl,
  findAnyApp,
  isUsable,
  openClientSecret,
  presentApp,
  sealClientSecret,
} from '../../../oauth/apps.js';
import { ProviderProblem } from '../../../providers/provider-problem.js';
import { OAuthApp } from '../../../oauth/resources.js';
import { lockSettings } from '../../../settings/store.js';
import { requireUsableMethod } from '../../../settings/usable-methods.js';
import { oauthApps, type OAuthAppRow } from '../../../tables/oauth-app.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';

/** The largest number of configured providers in an environment. */
const maxApps = 50;
/** The same, including removed ones: their names are kept for the users who linked them. */
const maxAppNames = 10 * maxApps;

/**
 * Call this with the environment locked.
 * @param isNew no provider of this name was ever configured
 * @throws limit_reached if no more providers can be configured
 */
async function requireRoomForApp(
  db: Session,
  environmentId: string,
  isNew: boolean,
  fail: ErrorMakers<'limit_reached', SvcError>,
): Promise<void> {
  const [row] = await db.rows<{ configured: number; known: number }>(
    'SELECT COUNT(IF(removed_at IS NULL, 1, NULL)) AS configured, COUNT(*) AS known FROM auth_oauth_app WHERE environment_id = ?',
    [idBytes(environmentId)],
  );
  const { configured = 0, known = 0 } = row ?? {};
  if (configured >= maxApps)
    throw fail.limit_reached({
      limit: maxApps,
      things: 'providers in this environment',
      nextStep: 'Remove one that is no longer used with auth.oauth.app.remove (auth.oauth.app.list lists them).',
    });
  if (isNew && known >= maxAppNames)
    throw fail.limit_reached({
      limit: maxAppNames,
      things: 'provider names in this environment, including removed ones',
      nextStep: 'Configure the provider under a name that has been used before.',
    });
}

const shownFields = ['provider', 'name', 'clientId', 'issuer', 'scopes', 'enabled'] as const;

export default defineOperation({
  name: 'auth.oauth.app.set',
  summary:
    'Configures a provider (google, github, microsoft, apple, gitlab, linkedin, or any OpenID Connect issuer by its URL) and checks its discovery document.',
  description:
    'Register the returned `callbackUrl` as a redirect URI at the provider. The discovery document is not checked if `enabled` is false. Omitted fields get their defaults, except that the client secret is kept while clientId and issuer are unchanged. An environment has at most 50 providers. The last sign-in method cannot be turned off.',
  keywords:
    'social login google github microsoft entra azure apple gitlab linkedin okta keycloak auth0 oidc sso openid connect',
  access: 'secret',
  impact: { retrySafe: true },
  input: appInput,
  output: object({ app: OAuthApp }),
  errors: ['limit_reached', 'no_usable_signin_method', 'provider_failed', 'url_not_allowed'],
  events: ['auth.oauth.app.changed'],
  example: {
    input: { provider: 'google', clientId: exampleOAuthApp.clientId, clientSecret: 'GOCSPX-example' },
    output: { app: exampleOAuthApp },
  },

  async prepare(input, { db, caller, clock, vault, http, deployment, fail }) {
    const { environment } = caller;
    const isTest = environment.kind === 'test';
    const stored = await findAnyApp(db, environment.id, input.provider);
    const facts = appFacts(input, stored, { http, isTest });
    if (!facts.enabled) return { http };
    const kept = stored && facts.clientSecret === undefined ? openClientSecret(vault, stored) : null;
    const client = {
      ...facts,
      provider: input.provider,
      clientSecret: facts.clientSecret ?? kept,
      callbackUrl: callbackUrl(deployment, environment, input.provider),
    };
    const { configureClient } = await import('../../../oauth/configure.js');
    try {
      await configureClient(client, { http, clock, plainHttp: isTest, environmentId: environment.id });
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      if (error.kind === 'url_not_allowed') throw fail.url_not_allowed({ problem: error.message });
      throw fail.provider_failed({
        provider: facts.name,
        problem: error.message,
        nextStep:
          'Correct issuer and clientId, then call auth.oauth.app.set again. With enabled false, the provider is stored without the check.',
      });
    }
    return { http };
  },

  async handle(input, context) {
    const { db, caller, clock, vault, deployment, fail, emit, audit, prepared } = context;
    const { http } = prepared;
    const { environment } = caller;
    await lockEnvironment(db, environment.id);
    const before = await findAnyApp(db, environment.id, input.provider);
    const { clientSecret, ...facts } = appFacts(input, before, { http, isTest: environment.kind === 'test' });
    const active = before?.removedAt === null ? before : null;
    if (active) await requireUnchanged(context, input.ifUnchangedSince, active, { type: 'oauth_app', id: active.id });
    else await requireRoomForApp(db, environment.id, before === null, fail);
    const now = clock.now();
    const id = before?.id ?? newId();
    const after: OAuthAppRow = {
      id,
      environmentId: environment.id,
      provider: input.provider,
      ...facts,
      clientSecret: sealedSecret(vault, id, clientSecret, before),
      createdAt: active?.createdAt ?? now,
      updatedAt: before ? updateTime(before, now) : now,
      removedAt: null,
    };
    const changes: Change[] = [
      ...(active ? changesBetween(active, after, shownFields) : newFields(after, shownFields)),
      ...(hasSecretChanged(clientSecret, active && openClientSecret(vault, active))
        ? [{ field: 'clientSecret', from: active?.clientSecret ? withheld : null, to: clientSecret ? withheld : null }]
        : []),
    ];
    audit({
      subject: { type: 'oauth_app', id },
      summary: `${active ? 'Changed' : 'Configured'} sign-in with ${after.name}.`,
      changes,
      unchanged: `sign-in with ${after.name} was already configured this way.`,
    });
    if (active && changes.length === 0) return { app: presentApp(active, deployment) };
    // As in auth.oauth.app.remove, this waits for changes of settings and they wait for it.
    const settings = active && !after.enabled ? await lockSettings(context, environment) : null;
    if (before) await db.update(oauthApps, { id }, after);
    else await db.insert(oauthApps, after);
    if (active && settings && isUsable(active, settings)) await requireUsableMethod(context, environment, settings);
    const app = presentApp(after, deployment);
    emit('auth.oauth.app.changed', { subjectId: id, data: { app, removed: false } });
    return { app };
  },
});

/** @param given undefined keeps the stored secret */
const sealedSecret = (
  vault: Vault,
  id: string,
  given: string | null | undefined,
  before: OAuthAppRow | null,
): Buffer | null => {
  if (given === undefined) return before?.clientSecret ?? null;
  return given === null ? null : sealClientSecret(vault, id, given);
};

const hasSecretChanged = (given: string | null | undefined, stored: string | null): boolean =>
  given !== undefined && given !== stored;
