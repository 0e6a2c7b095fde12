import { refusalOf } from '#core/kernel/errors/common.js';
import { parseAddress, mailboxKey } from '#core/kernel/schema/email-address.js';
import { canonicalLocale, isTimeZone } from '#core/kernel/schema/place.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { newId } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { ContactRow } from '../tables/contact.js';
import { addressDigest } from './address.js';
import { mostName, mostProperties, mostText } from './input.js';
import { propertiesOf } from './present.js';
import type { PropertyValue } from './value-key.js';

/** What somebody says about a contact: absent leaves a field as it is, null empties it. */
export interface ContactChanges {
  externalId?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  locale?: string | null | undefined;
  timeZone?: string | null | undefined;
  properties?: Readonly<Record<string, PropertyValue | null>> | undefined;
}

const refused = (field: string, problem: string): Error =>
  refusalOf.invalid_input({ field, problem, details: { field } });

/** A field's new value: `undefined` leaves the old one. */
const or = <V>(given: V | undefined, before: V): V => (given === undefined ? before : given);

/** NFC makes up to three characters of one: what fitted as it was written may no longer fit. */
function composed(field: string, text: string, most: number): string {
  const normal = text.normalize('NFC');
  if (normal.length > most && Array.from(normal).length > most)
    throw refused(field, `must be at most ${most} characters long`);
  return normal;
}

/** Names as they are kept; null and absent stay what they are. */
const composedName = <T extends string | null | undefined>(field: string, name: T): T | string =>
  typeof name === 'string' ? composed(field, name, mostName) : name;

/** The index of segments holds property texts in NFC. */
function checkTexts(properties: ContactChanges['properties'] = {}): void {
  for (const [name, value] of Object.entries(properties))
    if (typeof value === 'string') composed(`properties.${name}`, value, mostText);
}

/**
 * The changes with each value in its one normal form: NFC, IDNA and lower-case domains, E.164, canonical BCP 47 tags.
 * @throws invalid_input naming the field
 */
export function normalised(changes: ContactChanges): ContactChanges {
  const { externalId, email, phone, locale, timeZone } = changes;
  // As bytes all halves of surrogate pairs are one U+FFFD: two ids would be one in the database, and not here.
  if (externalId != null && /\p{Surrogate}/u.test(externalId))
    throw refused('externalId', 'must be well-formed Unicode');
  const address = email == null ? undefined : parseAddress(email);
  if (address?.ok === false) throw refused('email', address.problem);
  const line = phone == null ? undefined : parsePhone(phone);
  if (line?.ok === false) throw refused('phone', line.problem);
  const tag = locale == null ? locale : canonicalLocale(locale);
  if (locale != null && tag === null) throw refused('locale', 'must be a BCP 47 language tag such as de or pt-BR');
  if (timeZone != null && !isTimeZone(timeZone))
    throw refused('timeZone', 'must be an IANA time zone such as Europe/Berlin');
  checkTexts(changes.properties);
  return {
    ...changes,
    externalId: composedName('externalId', externalId),
    email: address?.ok === true ? address.address : email,
    phone: line?.ok === true ? line.number : phone,
    firstName: composedName('firstName', changes.firstName),
    lastName: composedName('lastName', changes.lastName),
    locale: tag,
  };
}

/** Properties merged key by key; null removes a key. Names in NFC, sorted, so that equal sets are equal texts. */
function mergedProperties(before: string, given: ContactChanges['properties']): string {
  if (!given) return before;
  const merged = new Map<string, PropertyValue | null>(Object.entries(propertiesOf(before)));
  for (const [name, value] of Object.entries(given)) merged.set(name.normalize('NFC'), value);
  const kept = [...merged].filter(([, value]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  if (kept.length > mostProperties)
    throw refused('properties', `would hold ${kept.length} keys, and a contact has at most ${mostProperties}`);
  return JSON.stringify(Object.fromEntries(kept));
}

/** A contact that says nothing yet. */
export const newContact = (environmentId: string, now: Date): ContactRow => ({
  id: newId(),
  environmentId,
  externalId: null,
  email: null,
  emailKey: null,
  emailDigest: null,
  phone: null,
  phoneDigest: null,
  firstName: null,
  lastName: null,
  locale: null,
  timeZone: null,
  properties: '{}',
  createdAt: now,
  updatedAt: now,
});

/**
 * The contact as it is after the changes; `updatedAt` stays the writer's to move.
 * @param changes normalised
 * @throws invalid_input when it would hold more than 200 properties
 */
export function changed(before: ContactRow, changes: ContactChanges, vault: Vault): ContactRow {
  const email = or(changes.email, before.email);
  const emailKey = email === null ? null : mailboxKey(email);
  const phone = or(changes.phone, before.phone);
  const digest = (channel: 'email' | 'sms', key: string | null): Buffer | null =>
    key === null ? null : addressDigest(vault, before.environmentId, channel, key);
  return {
    ...before,
    externalId: or(changes.externalId, before.externalId),
    email,
    emailKey,
    emailDigest: emailKey === before.emailKey ? before.emailDigest : digest('email', emailKey),
    phone,
    phoneDigest: phone === before.phone ? before.phoneDigest : digest('sms', phone),
    firstName: or(changes.firstName, before.firstName),
    lastName: or(changes.lastName, before.lastName),
    locale: or(changes.locale, before.locale),
    timeZone: or(changes.timeZone, before.timeZone),
    properties: mergedProperties(before.properties, changes.properties),
  };
}
