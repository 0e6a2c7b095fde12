import type { PageCookie } from '#core/kernel/page.js';
import { minutes } from '../../tables/lifetimes.js';
import type { FormVisit } from '../form-result.js';
import { openedCookie, removedCookie, sealedCookie, type CookieUse } from '../sealed-cookie.js';
import type { SignedInVisit } from '../signed-in.js';
import type { Visit } from '../visit.js';
import { ownUser } from './load.js';

/*
 * What is in progress between two visits of the account page. It is kept in sealed cookies of the browser, for one
 * person, so that each screen can be reloaded and no other browser sees it.
 */

/** How long each pending action can be continued. The code of an address works for ten minutes. */
const lifetimeSeconds = {
  address: 1_800,
  factor: 1_800,
  codes: 600,
  passkey: minutes.passkey * 60,
  destination: 1_800,
} as const;
type Pending = keyof typeof lifetimeSeconds;

const useFor = (kind: Pending, userId: string): CookieUse => ({ kind, boundTo: userId });

/** A cookie that stores what is in progress for the signed-in person. */
export async function pendingCookie(
  on: SignedInVisit,
  kind: Pending,
  texts: Readonly<Record<string, string>>,
): Promise<PageCookie> {
  return pendingCookieOf(on, (await ownUser(on)).id, kind, texts);
}

/** The same, for a person whom the page is currently signing in. */
export const pendingCookieOf = (
  { services, visit }: FormVisit,
  userId: string,
  kind: Pending,
  texts: Readonly<Record<string, string>>,
): PageCookie => sealedCookie(services, visit, useFor(kind, userId), { texts, maxAgeSeconds: lifetimeSeconds[kind] });

/** What is in progress; null if there is nothing, or no longer. */
export async function pendingIn(on: SignedInVisit, kind: Pending): Promise<Map<string, string> | null> {
  const { id } = await ownUser(on);
  return openedCookie(on.services, on.page, on.visit, useFor(kind, id));
}

/** Removes what was completed. */
export const notPending = (visit: Visit, kind: Pending): PageCookie => removedCookie(visit, kind);

/** Removes everything that is in progress. */
export const nothingPending = (visit: Visit): PageCookie[] => [
  notPending(visit, 'address'),
  notPending(visit, 'factor'),
  notPending(visit, 'codes'),
  notPending(visit, 'passkey'),
  notPending(visit, 'destination'),
];
