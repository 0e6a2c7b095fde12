import { invalidField } from '../errors/invalid-field.js';

/*
 * Names of people, organizations, accounts, projects and brands appear in mail to people who do not know them, such as
 * invitations, and in its subject. Mail programs turn web addresses into links, so a name that contains one would bring
 * them advertising or a false link.
 */

/**
 * A scheme, `www.`, or a host: a dot between a letter or digit and at least two letters. “St. Gallen”, “U.S. Steel” and
 * “e.V.” are not hosts.
 */
const webAddress = /:\/\/|\b(?:https?|ftp):|\bwww\d*\.|[\p{L}\p{N}_-]\.(?:\p{L}{2,}|xn--)|\d\.\d+\.\d+\.\d/iu;

/** Characters that are shown as a dot, or as nothing, between the parts of a host. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[。․]/gu, '.');

/** Whether a mail program may turn part of the text into a link. */
export const hasWebAddress = (text: string): boolean => webAddress.test(visible(text));

/** An address that represents a person: mail programs link it to its own mailbox only. */
const plainAddress = /^[^\s@/?#:()<>"]+@[^\s@/?#:()<>"]+$/;

/**
 * A name in the form that messages show: in one line, because subjects contain names, and without a web address. Names
 * from imports, providers or an earlier version may contain an address, which is shown with spaces so that no mail
 * program turns it into a link.
 */
export function shownName(name: string): string {
  const line = name.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (!hasWebAddress(line) || plainAddress.test(line)) return line;
  return visible(line)
    .replace(/:?\/\//g, ' ')
    .replace(/\b(https?|ftp):/gi, '$1 ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/ +/g, ' ')
    .trim();
}

/**
 * Checks that a name contains no web address.
 * @param field the input field, for the refusal
 * @returns the name
 * @throws invalid_input
 */
export function plainName(field: string, name: string): string {
  if (!hasWebAddress(name)) return name;
  throw invalidField(
    field,
    'must not contain a web address, because names appear in mail to strangers: leave out the domain or put a space after the dot',
  );
}
