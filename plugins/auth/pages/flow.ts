import { randomBytes } from 'node:crypto';
import type { PageCookie, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { newRepeatKey } from './one-answer.js';
import { cookieIds, openedCookie, otherCookies, removedCookie, sealedCookie, type CookieUse } from './sealed-cookie.js';
import type { Visit } from './visit.js';

/*
 * A sign-in in progress in a browser: what was started and where it returns to. It is kept in an encrypted cookie, so
 * that the page can be reloaded and its address contains no token. Anyone can open the sign-in page of an environment
 * in another person's browser, so each part has a maximum length and the number of these cookies is limited: servers
 * refuse requests whose headers are too long. Each tab continues its own sign-in, whose id is in the address.
 */

export interface Flow {
  /** The query field `flow` of the pages' addresses. */
  id: string;
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
  /** Mail to the address bounced before. */
  hasBounced?: boolean;
  email?: string;
  mfaToken?: string;
  /** The factors that can pass the second step. */
  factors?: string[];
  /** What auth.oauth.start gave this browser to identify itself with. */
  browserToken?: string;
  /** The state that the provider will return. */
  providerState?: string;
  /** See `completeOnce`. */
  repeatKey?: string;
  /** The provider's account is being added to the signed-in user, who returns to the account page. */
  linking?: boolean;
}

const kind = 'signin';
const useOf = (id: string): CookieUse => ({ kind, id, boundTo: 'flow' });
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
  'providerState',
  'repeatKey',
] as const;

/** The longest return address of a sign-in on the hosted pages, in characters. */
export const longestReturn = 1_000;
const longestNext = 512;
/** The longest address that can identify a person (RFC 5321), in characters. */
export const longestIdentifier = 254;
/** How many sign-ins a browser can have in addition to this one, of all environments. */
const mostOthers = 2;

interface FlowVisit {
  page: PageRequest;
  visit: Visit;
  services: Services;
}

/** A sign-in that starts in this browser. */
export const newFlow = (): Flow & { repeatKey: string } => ({
  id: randomBytes(6).toString('base64url'),
  repeatKey: newRepeatKey(),
});

/** Keeps a sign-in. If the browser does not have it yet, the oldest of the others are removed. */
export function flowCookies({ page, visit, services }: FlowVisit, flow: Flow): PageCookie[] {
  const { id, again, linking, hasBounced, factors } = flow;
  const kept = Object.fromEntries(texts.flatMap((name) => (flow[name] === undefined ? [] : [[name, flow[name]]])));
  const flags = {
    ...(again && { again: 'true' }),
    ...(linking && { linking: 'true' }),
    ...(hasBounced && { hasBounced: 'true' }),
  };
  const all = { ...kept, ...flags, ...(factors && { factors: factors.join(' ') }) };
  const cookie = sealedCookie(services, visit, useOf(id), { texts: all, maxAgeSeconds: lifetimeSeconds });
  const surplus = page.cookies.has(cookie.name) ? [] : otherCookies(page, visit, useOf(id)).slice(0, -mostOthers);
  return [...surplus, cookie];
}

export const noFlow = (visit: Visit, { id }: Flow): PageCookie => removedCookie(visit, kind, id);

/** The sign-ins of this environment in the browser, oldest first: those that have not expired and are ours. */
export const flowsIn = (on: FlowVisit): Flow[] =>
  cookieIds(on.page, on.visit, kind).flatMap((id) => openedFlow(on, id) ?? []);

/**
 * The sign-in that a screen belongs to: the one that its address names, or the latest if it names none.
 * @returns null if there is none, it has expired or the cookie is not ours
 */
export function flowIn(on: FlowVisit): Flow | null {
  const id = on.page.query.get('flow');
  return (id === null ? flowsIn(on).at(-1) : openedFlow(on, id)) ?? null;
}

function openedFlow({ page, visit, services }: FlowVisit, id: string): Flow | null {
  const kept = openedCookie(services, page, visit, useOf(id));
  if (!kept) return null;
  const factors = kept.get('factors');
  return {
    id,
    ...Object.fromEntries(texts.flatMap((name) => (kept.has(name) ? [[name, kept.get(name)]] : []))),
    ...(kept.has('again') && { again: true }),
    ...(kept.has('linking') && { linking: true }),
    ...(kept.has('hasBounced') && { hasBounced: true }),
    ...(factors !== undefined && { factors: factors.split(' ') }),
  };
}

/** A screen of a sign-in, as a link within the page. */
export const screenQuery = ({ id }: Flow, screen: string): string => `?step=${screen}&flow=${id}`;

/** The same as a path. */
export const screenPath = ({ root }: Visit, flow: Flow, screen: string): string =>
  `${root}/signin${screenQuery(flow, screen)}`;

/**
 * The address behind a form. It marks a form that was sent without any cookie: if the browser sends none to this
 * address either, it does not keep cookies. A browser that opens the page directly may keep them.
 */
export function markedWithoutCookies({ cookies }: PageRequest, location: string): string {
  if (cookies.size > 0) return location;
  return `${location}${location.includes('?') ? '&' : '?'}cookies=none`;
}

/** The address of the next screen after a form. */
export const nextScreenPath = (page: PageRequest, visit: Visit, flow: Flow, screen: string): string =>
  markedWithoutCookies(page, screenPath(visit, flow, screen));

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
