import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import activate from '../../operations/factor/totp/activate.js';
import { ownPage } from '../flow.js';
import { pathOf } from '../form-result.js';
import { handOver, isHostedPage, mayLeadTo } from '../hand-over.js';
import { noSession } from '../session.js';
import type { SignedInVisit } from '../signed-in.js';
import { notPending, pendingCookie, pendingIn } from './pending.js';

/*
 * Where somebody wanted to go who must set up a second factor first: the app that sent them to sign in, or another hosted page. The set-up
 * leads on there.
 */

/** To the account page, where the person sets up the factor that this page needs; then they come back here. */
export const toSetUp = async (on: SignedInVisit, cookies: readonly PageCookie[] = []): Promise<PageAnswer> =>
  seeOther(`${on.visit.root}/account`, [
    ...cookies,
    await pendingCookie(on, 'destination', { address: pathOf(on.page) }),
  ]);

/** The address of the app or the path of the hosted page; undefined where the person came for the account page. */
const destinationOf = async (on: SignedInVisit): Promise<string | undefined> =>
  (await pendingIn(on, 'destination'))?.get('address');

/** The app that the set-up leads on to, which its forms must be allowed to lead to. */
export async function destinationTargets(on: SignedInVisit): Promise<{ formTargets?: string[] }> {
  const address = await destinationOf(on);
  return address === undefined || address.startsWith('/') ? {} : { formTargets: [address] };
}

/**
 * Leads on to the destination once the factor is set up; an app gets the session, with a one-time code.
 * @returns null where there is none, or the app's address is no longer allowed
 */
export async function toDestination(on: SignedInVisit, cookies: readonly PageCookie[]): Promise<PageAnswer | null> {
  const { visit, services, accessToken } = on;
  const address = await destinationOf(on);
  if (address === undefined) return null;
  const forgotten = [...cookies, notPending(visit, 'destination')];
  if (address.startsWith('/')) return seeOther(ownPage(visit, address) ?? `${visit.root}/account`, forgotten);
  if (!(await mayLeadTo(services, visit, address))) return null;
  if (isHostedPage(services, visit, address)) return seeOther(address, forgotten);
  const back = await handOver(services, visit, { accessToken, address, operation: activate.name });
  return back === null ? null : seeOther(back, [...forgotten, ...noSession(visit)]);
}
