import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import activate from '../../operations/factor/totp/activate.js';
import { ownPage } from '../flow.js';
import { pathOf } from '../form-result.js';
import { handOff, isHostedPage, mayLeadTo } from '../handoff.js';
import { leaveTo } from '../leave.js';
import { noSession } from '../session.js';
import type { SignedInVisit } from '../signed-in.js';
import { notPending, pendingCookie, pendingIn } from './pending.js';

/*
 * The destination of a person who must set up a second factor first: the app that sent them to sign in, or another
 * hosted page. The setup then continues to it.
 */

/** To the account page, where the person sets up the factor that this page requires. Afterwards they return here. */
export const toSetUp = async (on: SignedInVisit, cookies: readonly PageCookie[] = []): Promise<PageAnswer> =>
  seeOther(`${on.visit.root}/account`, [
    ...cookies,
    await pendingCookie(on, 'destination', {
      address: ownPage(on.visit, pathOf(on.page)) ?? `${on.visit.root}/account`,
    }),
  ]);

/**
 * The address of the app, with its state and challenge, or the path of the hosted page; undefined if the person wanted
 * the account page.
 */
async function destinationOf(on: SignedInVisit) {
  const kept = await pendingIn(on, 'destination');
  const address = kept?.get('address');
  return address === undefined
    ? undefined
    : { address, state: kept?.get('state'), codeChallenge: kept?.get('codeChallenge') };
}

/**
 * Continues to the destination once the factor is set up. An app gets the session, with a one-time code.
 * @returns null without a destination, or if the app's address is no longer allowed
 */
export async function toDestination(on: SignedInVisit, cookies: readonly PageCookie[]): Promise<PageAnswer | null> {
  const { page, visit, services, accessToken } = on;
  const destination = await destinationOf(on);
  if (destination === undefined) return null;
  const { address } = destination;
  const forgotten = [...cookies, notPending(visit, 'destination')];
  if (address.startsWith('/')) return seeOther(ownPage(visit, address) ?? `${visit.root}/account`, forgotten);
  if (!(await mayLeadTo(services, visit, address))) return null;
  if (isHostedPage(services, visit, address)) return seeOther(address, forgotten);
  const back = await handOff(services, visit, { page, accessToken, ...destination, operation: activate.name });
  return back === null ? null : leaveTo(on, back, [...forgotten, ...noSession(visit)]);
}
