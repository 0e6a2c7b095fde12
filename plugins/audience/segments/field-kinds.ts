import type { ValueKind } from '../contacts/value-key.js';
import type { Field } from './tree.js';

const comparing = ['gt', 'gte', 'lt', 'lte'] as const;
const matching = ['contains', 'starts_with'] as const;
export const operators = ['eq', 'neq', ...comparing, ...matching, 'exists', 'not_exists', 'in', 'within_days'] as const;
export type Operator = (typeof operators)[number];

const equality = ['eq', 'neq', 'in', 'exists', 'not_exists'] as const;
const forText = [...equality, ...comparing, ...matching] as const;
const forNumber = [...equality, ...comparing] as const;
const forTime = [...equality, ...comparing, 'within_days'] as const;

/** Fields that are named by one word. */
export const plainFields = ['email', 'phone', 'locale', 'createdAt'] as const;

/** The part of an event decides the kind of its values. */
type FieldKey = Exclude<Field['of'], 'event'> | `event.${(Field & { of: 'event' })['part']}`;

interface FieldKind {
  /** The kind of the field's values; undefined if they can be of any kind. */
  readonly kind: ValueKind | undefined;
  /** The operators that it supports, as error messages list them. */
  readonly operators: readonly Operator[];
  /** How definitions name it; undefined for the filters of audience.contact.list. */
  readonly form: string | undefined;
  /** What the help adds to the form. */
  readonly note?: string;
}

const nameFilter: FieldKind = { kind: 'text', operators: forText, form: undefined };

/** Every field. Messages and the help list the fields in this order. */
const fieldKinds: Readonly<Record<FieldKey, FieldKind>> = {
  email: { kind: 'text', operators: forText, form: 'email' },
  phone: { kind: 'text', operators: forText, form: 'phone' },
  locale: { kind: 'text', operators: forText, form: 'locale' },
  createdAt: { kind: 'dateTime', operators: forTime, form: 'createdAt' },
  property: { kind: undefined, operators: [...forText, 'within_days'], form: 'properties.<key>' },
  consent: {
    kind: 'text',
    operators: equality,
    form: 'consent.<channel>.<topic>',
    note: 'granted or revoked; without the channel, by email',
  },
  'event.count': { kind: 'number', operators: forNumber, form: 'event.<name>.count' },
  'event.lastAt': { kind: 'dateTime', operators: forTime, form: 'event.<name>.lastAt' },
  message: { kind: 'dateTime', operators: forTime, form: 'message.email.lastSentAt' },
  externalId: nameFilter,
  firstName: nameFilter,
  lastName: nameFilter,
  channelConsent: nameFilter,
};

export const fieldKindOf = (field: Field): FieldKind =>
  fieldKinds[field.of === 'event' ? (`event.${field.part}` as const) : field.of];

const named = Object.values(fieldKinds).flatMap(({ form, note }) => (form === undefined ? [] : [{ form, note }]));

/** The fields, as error messages list them. */
export const fieldForms: readonly string[] = named.map(({ form }) => form);

/** The fields, as the help of definitions lists them. */
export const fieldHelp = named.map(({ form, note }) => (note === undefined ? form : `${form} (${note})`)).join(', ');
