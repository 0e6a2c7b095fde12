import { invalidField } from '#core/kernel/errors/invalid-field.js';
import {
  boolean,
  dateTime,
  either,
  email,
  filledText,
  list,
  map,
  nullable,
  number,
  object,
  optional,
  phone,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { channel, topicKey } from '../resources.js';

/** Properties of one contact. */
export const maxProperties = 200;
/** Characters of an external id or a name. */
export const maxNameLength = 200;
/** Characters of a property's text. */
export const maxTextLength = 500;

const value = either(
  text('A string; a string in RFC 3339 form is a date-time.', { maxLength: maxTextLength }),
  either(number(), boolean()),
);

export const externalId = filledText('The contact’s id in your own product.', maxNameLength);

const properties = optional(
  map(nullable(value), 'Merged key by key; null removes a key.', {
    maxProperties: maxProperties,
    // No control characters: people read the names, and segments refer to them.
    propertyNames: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\x00-\\x1f\\x7f]+$' },
  }),
);

const names = {
  firstName: optional(nullable(text('The contact’s first name.', { maxLength: maxNameLength }))),
  lastName: optional(nullable(text('The contact’s last name.', { maxLength: maxNameLength }))),
  locale: optional(nullable(text('BCP 47 tag, such as de or pt-BR.', { minLength: 2, maxLength: 35 }))),
  timeZone: optional(nullable(text('IANA name, such as Europe/Berlin.', { minLength: 1, maxLength: 64 }))),
} as const;

const consentClaim = object({
  topic: topicKey,
  channel,
  source: filledText('Where the consent was given.', 200),
  wording: optional(text('The wording that the person agreed to.', { maxLength: 2000 })),
  givenAt: optional(
    dateTime('When the consent was given. Without it, the consent counts only for people who have never opted out.'),
  ),
});
export type ConsentClaimInput = ValueOf<typeof consentClaim>;

export const consentClaims = optional(list(consentClaim, 'Consents to grant.', { maxItems: 100 }));

/** The fields of audience.contact.upsert, and of one row of an import. */
export const contactFields = {
  externalId: optional(externalId),
  email: optional(email('The contact’s address.')),
  phone: optional(phone('The contact’s number, E.164.')),
  ...names,
  properties,
  consents: consentClaims,
} as const;

/** The fields of audience.contact.update. Identifiers may be null, which removes them. */
export const contactChanges = {
  externalId: optional(nullable(externalId)),
  email: optional(nullable(email('The contact’s address.'))),
  phone: optional(nullable(phone('The contact’s number, E.164.'))),
  ...names,
  properties,
} as const;

/** The fields that identify a contact; use with `exactlyOneOf`. */
export const contactSelector = {
  contactId: optional(uuid('The contact.')),
  email: optional(email('The contact’s address.')),
  phone: optional(phone('The contact’s number, E.164.')),
} as const;

/** @throws invalid_input without at least one identifier */
export function requireIdentifier(given: Readonly<Partial<Record<'externalId' | 'email' | 'phone', unknown>>>): void {
  if (given.externalId !== undefined || given.email !== undefined || given.phone !== undefined) return;
  const problem = 'is missing: send at least one of email, phone, externalId';
  throw invalidField('email', problem);
}
