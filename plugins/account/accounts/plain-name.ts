import { invalidField } from '#core/kernel/errors/invalid-field.js';

/*
 * Names of accounts, projects and brands stand in mail to people who do not know the account, such as invitations. Mail programs turn web
 * addresses into links, so a name that holds one would carry advertisement to them.
 */

/** A scheme, `www.`, or a host: a dot between a letter or digit and at least two letters. “St. Gallen”, “U.S. Steel” and “e.V.” are none. */
const webAddress = /:\/\/|\b(?:https?|ftp):|\bwww\d*\.|[\p{L}\p{N}_-]\.(?:\p{L}{2,}|xn--)|\d+(?:\.\d+){3}/iu;

/** Characters that are shown as a dot, or as nothing, between the parts of a host. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[。․]/gu, '.');

/**
 * Checks that a name carries no web address.
 * @param field the input field, for the refusal
 * @returns the name
 * @throws invalid_input
 */
export function plainName(field: string, name: string): string {
  const found = webAddress.exec(visible(name));
  if (!found) return name;
  throw invalidField(
    field,
    'must not contain a web address, because names stand in mail to strangers: leave out the domain or put a space after the dot',
  );
}
