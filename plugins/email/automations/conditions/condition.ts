import { isRecord } from '#core/runtime/json.js';
import { stepProblem } from '../step-problem.js';

export const conditionOps = ['eq', 'neq', 'exists', 'not_exists', 'gt', 'lt', 'contains'] as const;
type ConditionOp = (typeof conditionOps)[number];
export type ConditionValue = string | number | boolean;

/** A condition as callers write it. */
export interface Condition {
  field: string;
  op: ConditionOp;
  /** Absent for `exists` and `not_exists`. */
  value?: ConditionValue;
}

/** The field that a condition tests. */
type ConditionField =
  { of: 'properties' | 'context'; key: string } | { of: 'consent'; channel: 'email' | 'sms'; topic: string };

const topicKey = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Parses the field of a condition. Consent without a channel means email.
 * @returns undefined for a field that does not exist
 */
export function conditionField(field: string): ConditionField | undefined {
  const dot = field.indexOf('.');
  const [family, rest] = dot < 0 ? [field, ''] : [field.slice(0, dot), field.slice(dot + 1)];
  if (rest === '') return undefined;
  if (family === 'properties' || family === 'context') return { of: family, key: rest.normalize('NFC') };
  if (family !== 'consent') return undefined;
  const named = /^(email|sms)\.(.+)$/.exec(rest);
  const channel = named?.[1] === 'sms' ? 'sms' : 'email';
  const topic = named?.[2] ?? rest;
  return topicKey.test(topic) ? { of: 'consent', channel, topic } : undefined;
}

const consentOps: readonly ConditionOp[] = ['eq', 'neq', 'exists', 'not_exists'];

/**
 * Refuses a condition on a consent that is true for every contact or for none: a consent is either true or false.
 * @throws invalid_input naming the field
 */
function requireConsentValue({ op, value }: Condition, path: string): void {
  if (!consentOps.includes(op))
    throw stepProblem(`${path}.op`, `must be one of ${consentOps.join(', ')} for a consent`);
  if (value !== undefined && typeof value !== 'boolean')
    throw stepProblem(`${path}.value`, 'must be true (granted) or false for a consent');
}

/**
 * Checks a condition that a caller wrote.
 * @param path its path in the request, for refusals
 * @throws invalid_input naming the field
 */
export function parseGivenCondition(given: unknown, path: string): Condition {
  const condition = parseCondition(given, path);
  if (conditionField(condition.field)?.of === 'consent') requireConsentValue(condition, path);
  return condition;
}

/**
 * Parses a condition, including one that was stored before parseGivenCondition refused it.
 * @param path its path in the request, for refusals
 * @throws invalid_input naming the field
 */
export function parseCondition(given: unknown, path: string): Condition {
  if (!isRecord(given)) throw stepProblem(path, 'must be an object with field, op and value');
  const unknown = Object.keys(given).find((key) => !['field', 'op', 'value'].includes(key));
  if (unknown !== undefined) throw stepProblem(`${path}.${unknown}`, 'is unknown: a condition has field, op and value');
  const { field, value } = given;
  const op = conditionOps.find((each) => each === given['op']);
  if (typeof field !== 'string') throw stepProblem(`${path}.field`, 'is required, and must be a string');
  if (field.length > 200) throw stepProblem(`${path}.field`, 'must be at most 200 characters long');
  if (!conditionField(field))
    throw stepProblem(
      `${path}.field`,
      'must be properties.<key>, context.<key>, consent.<topic>, consent.email.<topic> or consent.sms.<topic>',
    );
  if (op === undefined) throw stepProblem(`${path}.op`, `must be one of ${conditionOps.join(', ')}`);
  if (op === 'exists' || op === 'not_exists') {
    if (value !== undefined) throw stepProblem(`${path}.value`, `must be left out with ${op}`);
    return { field, op };
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw stepProblem(`${path}.value`, 'is required, and must be a string, a number or a boolean');
  if (typeof value === 'string' && value.length > 500)
    throw stepProblem(`${path}.value`, 'must be at most 500 characters long');
  return { field, op, value };
}

/** The topics whose consents some conditions test. */
export const conditionTopics = (conditions: readonly Condition[]): string[] =>
  conditions.flatMap(({ field }) => {
    const found = conditionField(field);
    return found?.of === 'consent' ? [found.topic] : [];
  });

/** The fields of the event that the given conditions test, such as `message.template`, each once. */
export const contextKeys = (conditions: readonly Condition[]): string[] => [
  ...new Set(
    conditions.flatMap(({ field }) => {
      const found = conditionField(field);
      return found?.of === 'context' ? [found.key] : [];
    }),
  ),
];
