import type { PageAnswer } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { flowCookies, markedWithoutCookies, type Flow } from './flow.js';
import type { FormVisit } from './form-result.js';
import { leavingView } from './leave.js';
import { openedCookie, removedCookie, sealedCookie } from './sealed-cookie.js';

const use = { kind: 'provider', boundTo: 'leave' } as const;
const lifetimeSeconds = 300;

/** Sends the browser to a provider through a separate page: a provider may redirect it to any of its addresses. */
export function sendToProvider({ page, visit, services }: FormVisit, address: string, flow: Flow): PageAnswer {
  const state = new URL(address).searchParams.get('state');
  const kept = sealedCookie(services, visit, use, { texts: { address }, maxAgeSeconds: lifetimeSeconds });
  return seeOther(markedWithoutCookies(page, `${visit.root}/signin?step=leave`), [
    ...flowCookies({ page, visit, services }, state === null ? flow : { ...flow, providerState: state }),
    kept,
  ]);
}

/**
 * The page that continues to the provider, once. @returns null if no form led here, for example after the Back button
 */
export function providerView({ page, visit, services }: FormVisit): PageAnswer | null {
  const address = openedCookie(services, page, visit, use)?.get('address');
  if (address === undefined) return null;
  return { ...leavingView(visit, address), cookies: [removedCookie(visit, use.kind)] };
}
