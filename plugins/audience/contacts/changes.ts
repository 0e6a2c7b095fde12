import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { parseAddress, mailboxKey } from '#core/kernel/schema/email-address.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { timeZoneProblem } from '#core/kernel/schema/time-zone.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { newId } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Channel } from '../ports.js';
import type { ContactRow } from '../tables/contact.js';
import { addressDigest } from './address.js';
import { maxNameLength, maxProperties, maxTextLength } from './input.js';
import { parseProperties } from './present.js';
import type { PropertyValue } from './value-key.js';

/** Changes to a contact: an absent field stays as it is, null clears it. */
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

/** Text in NFC. Normalizing can lengthen it, so its length is checked again. */
function normalizeText(field: string, text: string, maxLength: number): string {
  const normal = text.normalize('NFC');
  if (normal.length > maxLength && Array.from(normal).length > maxLength)
    throw invalidField(field, `must be at most ${maxLength} characters long`);
  return normal;
}

const normalizeName = <T extends string | null | undefined>(field: string, name: T): T | string =>
  typeof name === 'string' ? normalizeText(field, name, maxNameLength) : name;

/** Property texts are stored as given, but the index of segments stores them in NFC, and they must fit there too. */
function checkPropertyTexts(properties: ContactChanges['properties'] = {}): void {
  for (const [name, value] of Object.entries(properties))
    if (typeof value === 'string') normalizeText(`properties.${name}`, value, maxTextLength);
}

/**
 * Returns the changes with each value in its canonical form: NFC, IDNA and lower-case domains, E.164, canonical BCP 47
 * tags.
 * @throws invalid_input naming the field
 */
export function normalizeChanges(changes: ContactChanges): ContactChanges {
  const { externalId, email, phone, locale, timeZone } = changes;
  // Lone surrogates all become U+FFFD in the database, where two different ids would then be equal.
  if (externalId != null && /\p{Surrogate}/u.test(externalId))
    throw invalidField('externalId', 'must be well-formed Unicode');
  const parsedEmail = email == null ? undefined : parseAddress(email);
  if (parsedEmail?.ok === false) throw invalidField('email', parsedEmail.problem);
  const parsedPhone = phone == null ? undefined : parsePhone(phone);
  if (parsedPhone?.ok === false) throw invalidField('phone', parsedPhone.problem);
  const canonical = locale == null ? locale : canonicalLocale(locale);
  if (locale != null && canonical === null)
    throw invalidField('locale', 'must be a BCP 47 language tag such as de or pt-BR');
  const zoneProblem = timeZone == null ? undefined : timeZoneProblem(timeZone);
  if (zoneProblem !== undefined) throw invalidField('timeZone', zoneProblem);
  checkPropertyTexts(changes.properties);
  return {
    ...changes,
    externalId: normalizeName('externalId', externalId),
    email: parsedEmail?.ok === true ? parsedEmail.address : email,
    phone: parsedPhone?.ok === true ? parsedPhone.number : phone,
    firstName: normalizeName('firstName', changes.firstName),
    lastName: normalizeName('lastName', changes.lastName),
    locale: canonical,
  };
}

/**
 * Merges properties key by key; null removes a key. Names are in NFC and sorted, so that equal properties are equal
 * JSON texts.
 */
function mergeProperties(before: string, changes: ContactChanges['properties']): string {
  if (!changes) return before;
  const merged = new Map<string, PropertyValue | null>(Object.entries(parseProperties(before)));
  for (const [name, value] of Object.entries(changes)) merged.set(name.normalize('NFC'), value);
  const kept = [...merged].filter(([, value]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  if (kept.length > maxProperties)
    throw invalidField('properties', `would have ${kept.length} keys; a contact can have at most ${maxProperties}`);
  return JSON.stringify(Object.fromEntries(kept));
}

/** A new contact whose fields are all empty. */
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

/** The new value of a field: `undefined` keeps the old one. */
const valueOr = <V>(given: V | undefined, before: V): V => (given === undefined ? before : given);

/**
 * Returns the contact after the changes. The caller sets `updatedAt`.
 * @param changes from `normalizeChanges`
 * @throws invalid_input if it would have more than 200 properties
 */
export function applyChanges(before: ContactRow, changes: ContactChanges, vault: Vault): ContactRow {
  const email = valueOr(changes.email, before.email);
  const emailKey = email === null ? null : mailboxKey(email);
  const phone = valueOr(changes.phone, before.phone);
  const digest = (channel: Channel, key: string | null): Buffer | null =>
    key === null ? null : addressDigest(vault, before.environmentId, channel, key);
  return {
    ...before,
    externalId: valueOr(changes.externalId, before.externalId),
    email,
    emailKey,
    emailDigest: emailKey === before.emailKey ? before.emailDigest : digest('email', emailKey),
    phone,
    phoneDigest: phone === before.phone ? before.phoneDigest : digest('sms', phone),
    firstName: valueOr(changes.firstName, before.firstName),
    lastName: valueOr(changes.lastName, before.lastName),
    locale: valueOr(changes.locale, before.locale),
    timeZone: valueOr(changes.timeZone, before.timeZone),
    properties: mergeProperties(before.properties, changes.properties),
  };
}

/**
 * A contact keeps at least one identifier: without one, it could not be found again or reached.
 * @throws invalid_input naming an identifier that the changes remove
 */
export function requireRemainingIdentifier(after: ContactRow, changes: ContactChanges): void {
  const removed = (['email', 'phone', 'externalId'] as const).filter((field) => changes[field] === null);
  const [field] = removed;
  if (field === undefined || after.email !== null || after.phone !== null || after.externalId !== null) return;
  throw invalidField(
    field,
    'is the contact’s last identifier and cannot be removed: add another identifier first, or erase the contact with audience.contact.delete',
  );
}
