import type { PageCookie, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { openedCookie, otherCookies, removedCookie, sealedCookie } from './sealed-cookie.js';
import type { Visit } from './visit.js';

/*
 * A sign-in in progress in a browser: what was started and where it returns to. It is kept in an encrypted cookie, so
 * that the page can be reloaded and its address contains no token. Anyone can open the sign-in page of an environment
 * in another person's browser, so each part has a maximum length and the number of these cookies is limited: servers
 * refuse requests whose headers are too long.
 */

export interface Flow {
  /** The address to which the app wants the browser to return, with a code. */
  redirectTo?: string;
  /** The app's state, which is returned with the code. */
  state?: string;
  /** The app's PKCE challenge. */
  codeChallenge?: string;
  /** The hosted page that the person wanted. */
  next?: string;
  /** The page requires signing in again, for something that needs a recent sign-in. */
  again?: boolean;
  challengeId?: string;
  sentTo?: string;
  email?: string;
  mfaToken?: string;
  /** The factors that can pass the second step. */
  factors?: string[];
  /** What auth.oauth.start gave this browser to identify itself with. */
  browserToken?: string;
  /** See `completeOnce`. */
  repeatKey?: string;
  /** The provider's account is being added to the signed-in user, who returns to the account page. */
  linking?: boolean;
}

const use = { kind: 'signin', boundTo: 'flow' } as const;
const lifetimeSeconds = 1_800;
const texts = [
  'redirectTo',
  'state',
  'codeChallenge',
  'next',
  'challengeId',
  'sentTo',
  'email',
  'mfaToken',
  'browserToken',
  'repeatKey',
] as const;

/** The longest return address of a sign-in on the hosted pages, in characters. */
export const longestReturn = 1_000;
const longestNext = 512;
/** The longest address that can identify a person (RFC 5321), in characters. */
export const longestIdentifier = 254;
/** How many sign-ins of other environments a browser can have in addition to this one. */
const mostOthers = 2;

interface FlowVisit {
  visit: Visit;
  services: Services;
}

export function flowCookie({ visit, services }: FlowVisit, flow: Flow): PageCookie {
  const { again, linking, factors } = flow;
  const kept = Object.fromEntries(texts.flatMap((name) => (flow[name] === undefined ? [] : [[name, flow[name]]])));
  const flags = { ...(again && { again: 'true' }), ...(linking && { linking: 'true' }) };
  const all = { ...kept, ...flags, ...(factors && { factors: factors.join(' ') }) };
  return sealedCookie(services, visit, use, { texts: all, maxAgeSeconds: lifetimeSeconds });
}

export const noFlow = (visit: Visit): PageCookie => removedCookie(visit, use.kind);

/** Removes the oldest sign-ins of other environments in this browser, for a sign-in that is starting. */
export const noSurplusFlows = (page: PageRequest, visit: Visit): PageCookie[] =>
  otherCookies(page, visit, use.kind).slice(0, -mostOthers);

/** The flow of the browser; null if there is none, it has expired or the cookie is not ours. */
export function flowIn({ page, visit, services }: FlowVisit & { page: PageRequest }): Flow | null {
  const kept = openedCookie(services, page, visit, use);
  if (!kept) return null;
  const factors = kept.get('factors');
  return {
    ...Object.fromEntries(texts.flatMap((name) => (kept.has(name) ? [[name, kept.get(name)]] : []))),
    ...(kept.has('again') && { again: true }),
    ...(kept.has('linking') && { linking: true }),
    ...(factors !== undefined && { factors: factors.split(' ') }),
  };
}

/**
 * The address behind a form. It marks a form that was sent without any cookie: if the browser sends none to this
 * address either, it does not keep cookies. A browser that opens the page directly may keep them.
 */
export function markedWithoutCookies({ cookies }: PageRequest, location: string): string {
  if (cookies.size > 0) return location;
  return `${location}${location.includes('?') ? '&' : '?'}cookies=none`;
}

/** The address of the next screen after a form. */
export const nextScreenPath = (page: PageRequest, visit: Visit, screen: string): string =>
  markedWithoutCookies(page, `${visit.root}/signin?step=${screen}`);

/**
 * Whether the browser does not keep cookies: it sent none with the form (see `markedWithoutCookies`), and none after
 * it.
 */
export const lacksCookies = (page: PageRequest): boolean =>
  page.query.get('cookies') === 'none' && page.cookies.size === 0;

/**
 * `next` from an address, if it leads to a hosted page of the same environment; undefined for anything else, and for
 * values that are too long.
 */
export function ownPage({ root }: Visit, next: string | null | undefined): string | undefined {
  if (next === null || next === undefined || next.length > longestNext || !next.startsWith(`${root}/`))
    return undefined;
  const parsed = new URL(next, 'http://svc.invalid');
  return parsed.host === 'svc.invalid' && parsed.pathname.startsWith(`${root}/`)
    ? `${parsed.pathname}${parsed.search}`
    : undefined;
}
