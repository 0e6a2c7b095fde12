import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Services } from '#core/kernel/services.js';
import type { ConsoleSession } from '#core/surfaces/console/shared.js';
import { isFromDeveloper } from '#core/surfaces/pages/developer-page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { atOwnShard } from '#core/runtime/shard.js';
import { dashboard } from '#plugins/account/ports.js';
import meGet from '../operations/me/get.js';
import signout from '../operations/session/signout.js';
import { toSetUp } from './account/destination.js';
import { nothingPending } from './account/pending.js';
import { noSession, pageSession, refreshTokenIn } from './session.js';
import { signedInPage, toSecondFactor } from './signed-in.js';
import { visitOf, type Visit } from './visit.js';

/*
 * How the console signs in. People sign in on the dashboard's hosted pages, whose tokens are in cookies that scripts
 * cannot read. The console keeps an access token in memory and asks here for another one when it expires.
 */

/**
 * Answers with an access token of the browser's dashboard session, or with the address to sign in at. Only pages of
 * svc's own origin may ask (requireOwnForm). Form fields: `renew=true` if the last token was refused, `do=sign-out`.
 */
export const consoleSession: Page = {
  path: '/console/session',
  methods: ['POST'],
  async answer(page, services) {
    const visit = await dashboardVisit(page, services);
    if (page.form.get('do') === 'sign-out') return signOut(page, visit);
    return open(page, visit, services, page.form.get('renew') === 'true');
  },
};

/** @param renew refresh the session first, because its access token was refused */
async function open(page: PageRequest, visit: Visit, services: Services, renew: boolean): Promise<PageAnswer> {
  const session = await pageSession(page, visit, services, { renew });
  if (!session) return { ...json(signedOut(visit, developerEmail(page, services))), cookies: noSession(visit) };
  const { accessToken, cookies } = session;
  const found = await environmentsOf(services, page, accessToken);
  if ('refused' in found) {
    const ended = found.refused !== 'mfa_required';
    if (ended && !renew) return open(page, visit, services, true);
    // A session without a required second factor is kept: `entrance` takes the person to the factor.
    const answer = json({ accessToken: null, signInUrl: ended ? signInUrl(visit) : entrance(visit) });
    return { ...answer, cookies: ended ? noSession(visit) : cookies };
  }
  const urls = { accountUrl: `${visit.root}/account`, signInAgainUrl: signInUrl(visit, { again: 'true' }) };
  const { user } = await page.call(meGet, { accessToken }, visit.options);
  const who = { id: user.id, email: user.email };
  return { ...json({ accessToken, user: who, ...urls, environments: found.environments }), cookies };
}

/**
 * The environments that the session may act in, by the refusal of a call that names none.
 * @returns the code if the session may not act anywhere: it ended, or lacks a second factor
 */
async function environmentsOf(
  services: Services,
  { request }: PageRequest,
  bearer: string,
): Promise<{ environments: unknown } | { refused: string }> {
  try {
    await services.identify({ bearer, environmentId: undefined, request });
  } catch (error) {
    if (error instanceof SvcError && error.code === 'environment_required')
      return { environments: error.details?.['environments'] };
    if (error instanceof SvcError && (error.status === 401 || error.status === 403)) return { refused: error.code };
    throw error;
  }
  return { environments: [] };
}

/**
 * The page that a sign-in for the console ends on, because `next` of the sign-in page leads only to pages of the same
 * environment. If the policy requires a second factor that the session lacks, the person passes it or sets it up first.
 */
export const consoleEntrance: Page = signedInPage(
  { path: '/auth/{environmentId}/console', methods: ['GET'] },
  async (signedIn) => {
    const { page, services, accessToken } = signedIn;
    await dashboardVisit(page, services);
    const found = await environmentsOf(services, page, accessToken);
    if ('refused' in found && found.refused === 'mfa_required')
      return (await toSecondFactor(signedIn)) ?? toSetUp(signedIn);
    return seeOther(atOwnShard('/console'));
  },
);

/** @throws not_found if the console is off, or the environment in the address is not the dashboard's */
async function dashboardVisit(page: PageRequest, services: Services): Promise<Visit> {
  const environment = await services.read('Console', ({ use }) => use(dashboard).environment());
  const named = page.params['environmentId'];
  const isOther = named !== undefined && named !== environment?.id;
  if (!environment || isOther || services.deployment.settings.console === 'off')
    throw refusalOf.not_found({ thing: 'page', lookup: 'account.project.list' });
  return visitOf({ ...page, params: { environmentId: environment.id } }, services);
}

async function signOut(page: PageRequest, visit: Visit): Promise<PageAnswer> {
  const refreshToken = refreshTokenIn(page, visit);
  try {
    if (refreshToken) await page.call(signout, { refreshToken }, visit.options);
  } catch (error) {
    // A session that the server no longer knows has ended as well.
    if (!(error instanceof SvcError && error.code === 'session_invalid')) throw error;
  }
  return { ...json(signedOut(visit)), cookies: [...noSession(visit), ...nothingPending(visit)] };
}

const entrance = ({ root }: Visit): string => `${root}/console`;

const signInUrl = (visit: Visit, more: Readonly<Record<string, string>> = {}): string =>
  `${visit.root}/signin?${new URLSearchParams({ next: entrance(visit), ...more }).toString()}`;

const signedOut = (visit: Visit, email?: string): ConsoleSession => ({
  accessToken: null,
  signInUrl: signInUrl(visit),
  ...(email === undefined ? {} : { developerEmail: email }),
});

/** Anyone who can read the development machine's mailbox can sign in as the owner anyway. */
const developerEmail = (page: PageRequest, services: Services): string | undefined =>
  isFromDeveloper(page, services) ? services.deployment.settings.ownerEmail : undefined;

const json = (session: ConsoleSession): PageAnswer => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(session),
});
