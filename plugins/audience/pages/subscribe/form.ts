import type { PageRequest } from '#core/kernel/page.js';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import { hasWebAddress } from '#core/kernel/schema/plain-name.js';
import { webAddress } from '#core/surfaces/pages/theme.js';
import { typedAddress } from '#core/kernel/schema/typed.js';
import type { FormField } from './texts.js';

/**
 * The names of the fields. Forms on other sites use all but `shown`, which only svc's own pages have, so they must not
 * change (docs/using.md).
 */
export const fields = { email: 'email', firstName: 'name', trap: 'website', shown: 'shown' } as const;

export const maxNameLength = 100;

/** What was entered, in a form that can be used. */
export interface Submitted {
  email: string;
  /** Empty if none was given. */
  firstName: string;
  /** A program filled in the field that people do not see. */
  isTrapped: boolean;
}

export interface Mistake {
  field: FormField;
  values: Readonly<Record<FormField, string>>;
}

/** A longer text is not an address. */
const maxTyped = 1_000;

/** The most characters of the web page with the form: the link of the mail contains it. */
const maxSourceLength = 180;

/** Reads a submitted form. */
export function readForm(form: URLSearchParams): Submitted | Mistake {
  const email = typedAddress((form.get(fields.email) ?? '').slice(0, maxTyped)).trim();
  const firstName = (form.get(fields.firstName) ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const values = { email, firstName: firstName.slice(0, 1_000) };
  const parsed = parseAddress(email);
  if (!parsed.ok) return { field: 'email', values };
  // Names appear in mail to the address, which anybody can enter.
  if (firstName.length > maxNameLength || hasWebAddress(firstName)) return { field: 'firstName', values };
  return { email: parsed.address, firstName, isTrapped: (form.get(fields.trap) ?? '') !== '' };
}

/**
 * The web page with the form, for the consent record: as the browser states it, without its query, which may contain
 * anything, and cut to 180 characters.
 * @param own the address of svc's own page
 */
export function sourceOf({ headers }: Pick<PageRequest, 'headers'>, own: string): string {
  const stated = webAddress(headers['referer'] ?? headers['origin'] ?? null, ['https:', 'http:']);
  if (stated !== null) {
    const { origin, pathname } = new URL(stated);
    return (pathname === '/' ? origin : `${origin}${pathname}`).slice(0, maxSourceLength);
  }
  return headers['sec-fetch-site'] === 'cross-site' ? 'on another site' : own;
}
