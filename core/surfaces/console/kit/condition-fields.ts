/*
 * What the conditions of segments, triggers and branches are about, how they compare, and how their values are typed,
 * in words.
 */

export interface Family {
  readonly value: string;
  readonly text: string;
}

/** The kinds of fields of a segment, as people choose them. */
export const families = [
  { value: 'properties', text: 'Property' },
  { value: 'consent.email', text: 'Consent by email' },
  { value: 'consent.sms', text: 'Consent by text' },
  { value: 'event.count', text: 'Times that an event happened' },
  { value: 'event.lastAt', text: 'Last time of an event' },
  { value: 'message.email.lastSentAt', text: 'Last received an email' },
  { value: 'email', text: 'Email address' },
  { value: 'phone', text: 'Phone number' },
  { value: 'locale', text: 'Language' },
  { value: 'createdAt', text: 'Became a contact' },
] as const;

/** The kinds of fields of an automation: those of the contact, and those of the event that starts it. */
export const automationFamilies: readonly Family[] = [
  { value: 'properties', text: 'Property' },
  { value: 'context', text: 'Property of the event' },
  { value: 'consent.email', text: 'Consent by email' },
  { value: 'consent.sms', text: 'Consent by text' },
];
/** The comparisons of an automation. */
export const automationOperators = ['eq', 'neq', 'contains', 'gt', 'lt', 'exists', 'not_exists'];

/** The kind of a field, and its key, topic or event name. */
export function partsOf(field: string): { family: string; name: string } {
  if (field.startsWith('properties.')) return { family: 'properties', name: field.slice(11) };
  if (field.startsWith('context.')) return { family: 'context', name: field.slice(8) };
  const consent = /^consent\.(?:(email|sms)\.)?(.*)$/.exec(field);
  if (consent) return { family: `consent.${consent[1] ?? 'email'}`, name: consent[2] ?? '' };
  const event = /^event\.(.*)\.(count|lastAt)$/.exec(field);
  if (event) return { family: `event.${event[2] ?? 'count'}`, name: event[1] ?? '' };
  return { family: field, name: '' };
}

export function fieldOf(family: string, name: string): string {
  if (family === 'event.count' || family === 'event.lastAt') return `event.${name}.${family.slice(6)}`;
  return family === 'properties' || family === 'context' || family.startsWith('consent.')
    ? `${family}.${name}`
    : family;
}

const operatorTexts: Readonly<Record<string, string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  exists: 'is known',
  not_exists: 'is not known',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  starts_with: 'begins with',
  within_days: 'within the last days',
};
const timeTexts: Readonly<Record<string, string>> = {
  ...operatorTexts,
  gt: 'after',
  lt: 'before',
  exists: 'ever',
  not_exists: 'never',
};

const isTime = (family: string): boolean =>
  family === 'createdAt' || family === 'event.lastAt' || family.startsWith('message.');

/**
 * The operators of a kind of field, in words.
 * @param used one that is offered in any case
 * @param among the operators that the condition can have; by default all
 */
export function operatorsOf(
  family: string,
  used?: string,
  among?: readonly string[],
): readonly { value: string; text: string }[] {
  const texts = isTime(family) ? timeTexts : operatorTexts;
  const usual = family.startsWith('consent.')
    ? ['eq', 'neq']
    : isTime(family)
      ? ['within_days', 'gt', 'lt', 'exists', 'not_exists']
      : family === 'event.count'
        ? ['gte', 'lte', 'eq', 'gt', 'lt']
        : family === 'properties' || family === 'context'
          ? [
              'eq',
              'neq',
              'in',
              'contains',
              'starts_with',
              'gt',
              'gte',
              'lt',
              'lte',
              'within_days',
              'exists',
              'not_exists',
            ]
          : ['eq', 'neq', 'in', 'contains', 'starts_with', 'exists', 'not_exists'];
  const offered = among ? usual.filter((op) => among.includes(op)) : usual;
  const names = used === undefined || offered.includes(used) ? offered : [...offered, used];
  return names.map((value) => ({ value, text: texts[value] ?? value }));
}

/** How a value is typed. */
export function controlOf(family: string, op: string): 'none' | 'days' | 'time' | 'number' | 'state' | 'list' | 'text' {
  if (op === 'exists' || op === 'not_exists') return 'none';
  if (op === 'within_days') return 'days';
  if (family.startsWith('consent.')) return 'state';
  if (op === 'in') return 'list';
  if (isTime(family)) return 'time';
  return family === 'event.count' ? 'number' : 'text';
}
