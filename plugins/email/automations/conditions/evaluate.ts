import { formats } from '#core/kernel/schema/formats.js';
import type { ContactFacts } from '#plugins/audience/ports.js';
import { conditionField, type Condition, type ConditionValue } from './condition.js';
import { isRecord } from '#core/runtime/json.js';

/** The data that a condition is evaluated on. */
export interface Scope {
  /** Properties of a recorded event, or the data of an event of svc. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly contact: Pick<ContactFacts, 'properties'> | undefined;
  /** By `<channel>.<topic>`: true for granted, false for revoked. */
  readonly consents: ReadonlyMap<string, boolean> | undefined;
}

/**
 * Whether a condition holds. Only values of the same kind compare: texts (exactly), numbers, booleans, and texts in RFC
 * 3339 form as times. `neq` is the negation of `eq`, so it also holds without a value. `contains` searches texts
 * and lists. A consent that was never given is false; `exists` tests whether any was ever recorded.
 */
export function evaluate(condition: Condition, scope: Scope): boolean {
  const { found, exists } = valueOf(condition.field, scope);
  const { op, value } = condition;
  switch (op) {
    case 'exists':
      return exists;
    case 'not_exists':
      return !exists;
    case 'eq':
      return isEqual(found, value);
    case 'neq':
      return !isEqual(found, value);
    case 'gt':
      return compare(found, value) > 0;
    case 'lt':
      return compare(found, value) < 0;
    case 'contains':
      return contains(found, value);
  }
}

function valueOf(name: string, { context, contact, consents }: Scope): { found: unknown; exists: boolean } {
  const field = conditionField(name);
  if (field?.of === 'consent') {
    const state = consents?.get(`${field.channel}.${field.topic}`);
    return { found: state ?? false, exists: state !== undefined };
  }
  const found = field?.of === 'properties' ? ownValue(contact?.properties, field.key) : at(context, field?.key ?? '');
  return { found, exists: found !== undefined && found !== null };
}

const ownValue = (record: Readonly<Record<string, unknown>> | undefined, key: string): unknown =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** The value of a name in an object; if there is no such name, its dots lead into inner objects: `message.template`. */
function at(record: unknown, key: string): unknown {
  if (!isRecord(record)) return undefined;
  if (Object.hasOwn(record, key)) return record[key];
  for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
    const inner = ownValue(record, key.slice(0, dot));
    const found = at(inner, key.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && formats['date-time']?.(value) === true ? Date.parse(value) : undefined;

const normal = (value: unknown): unknown => (typeof value === 'string' ? value.normalize('NFC') : value);

function isEqual(found: unknown, value: ConditionValue | undefined): boolean {
  const [a, b] = [timeOf(found), timeOf(value)];
  return a !== undefined && b !== undefined ? a === b : normal(found) === normal(value);
}

/** Positive if `found` is greater, negative if it is less, NaN if the two do not compare. */
function compare(found: unknown, value: ConditionValue | undefined): number {
  if (typeof found === 'number' && typeof value === 'number') return found - value;
  const [a, b] = [timeOf(found), timeOf(value)];
  if (a !== undefined && b !== undefined) return a - b;
  if (typeof found !== 'string' || typeof value !== 'string' || a !== undefined || b !== undefined) return NaN;
  // By code points, in the same way as segments compare texts.
  return Buffer.compare(Buffer.from(found.normalize('NFC')), Buffer.from(value.normalize('NFC')));
}

function contains(found: unknown, value: ConditionValue | undefined): boolean {
  if (Array.isArray(found)) return found.some((each) => isEqual(each, value));
  return (
    typeof found === 'string' && typeof value === 'string' && found.normalize('NFC').includes(value.normalize('NFC'))
  );
}
