import type { PageCookie, PageRequest } from '#core/kernel/page.js';
import type { Visit } from './visit.js';

/*
 * A sign-in that is under way in a browser: what was started and where it returns to. It stands in a cookie, so that the page can be
 * reloaded and shows no token in its address.
 */

export interface Flow {
  /** Where the app wants the browser back, with a code. */
  redirectTo?: string;
  /** Which hosted page the person wanted. */
  next?: string;
  /** The page asks to sign in again, for something that needs a recent sign-in. */
  again?: boolean;
  challengeId?: string;
  sentTo?: string;
  email?: string;
  mfaToken?: string;
  /** What the second step can be passed with. */
  factors?: string[];
  /** What auth.oauth.start gave this browser to prove itself with. */
  browserToken?: string;
  /** See `completeOnce`. */
  repeatKey?: string;
  /** The provider's account is added to the signed-in user. */
  linking?: boolean;
}

const name = ({ environment }: Visit): string => `svc_signin_${environment.id}`;
const lifetimeSeconds = 1_800;

export const flowCookie = (visit: Visit, flow: Flow): PageCookie => ({
  name: name(visit),
  value: Buffer.from(JSON.stringify(flow)).toString('base64url'),
  maxAgeSeconds: lifetimeSeconds,
});

export const noFlow = (visit: Visit): PageCookie => ({ name: name(visit), value: '', maxAgeSeconds: 0 });

/** The flow of the browser; empty where there is none or the cookie is not ours. */
export function flowIn(page: PageRequest, visit: Visit): Flow {
  const value = page.cookies.get(name(visit));
  if (!value) return {};
  try {
    return readFlow(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')));
  } catch {
    return {}; // not JSON: somebody else's cookie
  }
}

function readFlow(parsed: unknown): Flow {
  const fields: Record<string, unknown> =
    typeof parsed === 'object' && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {};
  const text = (field: string): Record<string, string> => {
    const value = fields[field];
    return typeof value === 'string' ? { [field]: value } : {};
  };
  const { factors } = fields;
  return {
    ...text('redirectTo'),
    ...text('next'),
    ...text('challengeId'),
    ...text('sentTo'),
    ...text('email'),
    ...text('mfaToken'),
    ...text('browserToken'),
    ...text('repeatKey'),
    ...(fields['again'] === true ? { again: true } : {}),
    ...(fields['linking'] === true ? { linking: true } : {}),
    ...(Array.isArray(factors) ? { factors: factors.filter((each) => typeof each === 'string') } : {}),
  };
}

/**
 * The address behind a form. It says when the form came without any cookie: a browser that then sends none either keeps no cookies, while
 * one that opens the page by itself may.
 */
export function markedWithoutCookies({ cookies }: PageRequest, location: string): string {
  if (cookies.size > 0) return location;
  return `${location}${location.includes('?') ? '&' : '?'}cookies=none`;
}

/** The address of the next step after a form. */
export const nextStep = (page: PageRequest, visit: Visit, step: string): string =>
  markedWithoutCookies(page, `${visit.root}/signin?step=${step}`);

/** Whether the browser keeps no cookies: it sent none with the form (see `markedWithoutCookies`), and none after it. */
export const lacksCookies = (page: PageRequest): boolean =>
  page.query.get('cookies') === 'none' && page.cookies.size === 0;

/** `next` from an address, where it leads to a hosted page of the same environment; undefined for anything else. */
export function ownPage({ root }: Visit, next: string | null): string | undefined {
  if (next === null || !next.startsWith(`${root}/`)) return undefined;
  const parsed = new URL(next, 'http://svc.invalid');
  return parsed.host === 'svc.invalid' && parsed.pathname.startsWith(`${root}/`)
    ? `${parsed.pathname}${parsed.search}`
    : undefined;
}
