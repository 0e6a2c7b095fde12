import type Provider from 'oidc-provider';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { PageAnswer } from '#core/kernel/page.js';
import type { OpenidProvider } from '../../openid/provider.js';
import { saveGrant } from '../../openid/record-grant.js';
import { grantIdOf, openidSession } from '../../openid/session.js';
import meGet from '../../operations/me/get.js';
import { userSessions } from '../../sessions/check-token.js';
import { toSetUp } from '../account/destination.js';
import { leavingView } from '../leave.js';
import { problemView } from '../parts.js';
import { signedInPage, toSecondFactor, toSignIn, type SignedInVisit } from '../signed-in.js';
import { consentView } from './views.js';

type Interaction = InstanceType<Provider['Interaction']>;

/**
 * Where the OpenID provider sends people whom it does not know, or whose consent it needs. A person who is signed in
 * continues immediately. What is decided here belongs to the session of this browser: the provider continues only in
 * the browser that began, and only with the session that it has then.
 */
const interactionPage = signedInPage(
  { path: '/auth/{environmentId}/oidc/interaction/{uid}', methods: ['GET', 'POST'] },
  async (on) => {
    const { page, visit, services, accessToken } = on;
    // Loaded at the first request.
    const { openidProvider } = await import('../../openid/provider.js');
    const known = await openidProvider(services, visit.environment);
    const interaction = await known?.provider.Interaction.find(page.params['uid'] ?? '');
    if (!known || !interaction) return expiredView(on);
    const session = await userSessions(services).findUserSession?.(accessToken, visit.environment);
    if (!session) throw refusalOf.token_invalid();
    if (session.impersonator) return finish(on, interaction, { error: 'access_denied' });
    if (session.lacksRequiredFactor) return (await toSecondFactor(on)) ?? toSetUp(on);
    if (interaction.prompt.name === 'consent') return consent(on, known, interaction, session.sessionFamilyId);
    // The app wants the person to prove again who they are: after it asked for that.
    const mustRepeat = interaction.prompt.reasons.some((each) => each === 'login_prompt' || each === 'max_age');
    if (mustRepeat && session.signedInAt.getTime() / 1000 < interaction.iat - slackSeconds)
      return toSignIn(page, visit, true);
    return finish(on, interaction, {
      login: {
        accountId: session.userId,
        ts: Math.floor(session.signedInAt.getTime() / 1000),
        amr: session.secondFactor ? ['mfa'] : [],
      },
    });
  },
);

export default interactionPage;

/** The difference that the clocks of database and process may have. */
const slackSeconds = 1;

/** Stores the outcome and returns to the provider, which continues the app's request. */
async function finish(
  { visit }: SignedInVisit,
  interaction: Interaction,
  result: NonNullable<Interaction['result']>,
): Promise<PageAnswer> {
  interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
  await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1000)));
  // Browsers apply the policy of a form to all redirects after it, so a redirect would not reach the app.
  return leavingView(visit, interaction.returnTo);
}

/** The scopes that the app asks for. */
function scopesIn({ params: { scope } }: Interaction): string[] {
  return typeof scope === 'string' ? scope.split(' ') : [];
}

async function consent(
  on: SignedInVisit,
  { provider, ids }: OpenidProvider,
  interaction: Interaction,
  sessionId: string,
): Promise<PageAnswer> {
  const { page, visit, services, accessToken } = on;
  const { environment } = visit;
  const appId = String(interaction.params['client_id']);
  const client = await provider.Client.find(appId);
  const found = await openidSession(services, environment.id, sessionId);
  if (!client || !found) return expiredView(on);
  const appName = client.clientName ?? appId;
  const scopes = scopesIn(interaction);
  if (page.method !== 'POST') {
    const { user } = await page.call(meGet, { accessToken }, visit.options);
    const target = new URL(String(interaction.params['redirect_uri']));
    return consentView(visit, { appName, scopes, user, host: target.host === '' ? target.protocol : target.host });
  }
  if (page.form.get('do') !== 'allow') return finish(on, interaction, { error: 'access_denied' });
  const grantId = grantIdOf(sessionId, appId, ids);
  const before = await provider.Grant.find(grantId);
  const grant = before ?? new provider.Grant({ accountId: found.user.id, clientId: appId });
  grant.jti = grantId;
  grant.addOIDCScope(scopes.join(' '));
  const visitor = { environment, request: page.request };
  await saveGrant(grant, { visitor, userId: found.user.id, appId, appName, sessionId, scopes, isNew: !before });
  return finish(on, interaction, { consent: { grantId } });
}

function expiredView({ visit }: SignedInVisit): PageAnswer {
  const { ended } = visit.texts;
  return problemView(visit, ended.heading, { status: 400, code: 'expired', text: visit.texts.openid.expired });
}
