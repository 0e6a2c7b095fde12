import type { Definition } from './interpreter.js';
import { eventNames, keys, locales, dateTimes, numbers, texts } from './people.js';
import { pickFrom, type Random } from './random.js';

type ConditionNode = { field: string; op: string; value?: unknown };

const comparing = ['gt', 'gte', 'lt', 'lte'];
const always = ['eq', 'neq', 'in', 'exists', 'not_exists'];

const emails = ['ADA10@example.com', 'grace11@Example.com', 'nobody@example.com', 'b@example.com'];
const phones = ['+4915112300003', '+49 1511 2300010', '+4915112300150'];

/** A condition for each operator and value of a field. */
function conditionsOf(
  field: string,
  ops: readonly string[],
  values: readonly unknown[],
  parts: readonly string[] = [],
): ConditionNode[] {
  return ops.flatMap((op): ConditionNode[] => {
    if (op === 'exists' || op === 'not_exists') return [{ field, op }];
    if (op === 'in')
      return [
        { field, op, value: values.slice(0, 3) },
        { field, op, value: values.slice(-1) },
      ];
    if (op === 'within_days') return [1, 20, 30_000].map((value) => ({ field, op, value }));
    const of = op === 'contains' || op === 'starts_with' ? parts : values;
    return of.map((value) => ({ field, op, value }));
  });
}

const textOps = [...always, ...comparing, 'contains', 'starts_with'];
const timeOps = [...always, ...comparing, 'within_days'];

/** Conditions for every field with every operator that it takes. @param times date-times to compare with */
export function everyCondition(times: readonly string[]): ConditionNode[] {
  const parts = ['p', 'pro', 'a%', '_', '\\', "'", 'ö', 'п', '2026'];
  const every = [...textOps, 'within_days'];
  return [
    ...conditionsOf('email', textOps, emails, ['ada', 'GRACE1', '@Example.com', '%', '1']),
    ...conditionsOf('phone', textOps, phones, ['+49151123', '+49 1511 23', '15', '00']),
    ...conditionsOf('locale', textOps, [...locales, 'fr'], ['p', 'pt-', 'e', 'PT-b', 'pt_', 'BR', 'DE', '-']),
    ...conditionsOf('createdAt', timeOps, times),
    ...keys.flatMap((key) => conditionsOf(`properties.${key}`, every, [...texts, ...numbers, ...dateTimes], parts)),
    ...['properties.mixed', 'properties.nothing'].flatMap((field) =>
      conditionsOf(field, ['eq', 'neq', 'in'], [true, false]),
    ),
    ...['consent.news', 'consent.email.news', 'consent.sms.news', 'consent.alerts', 'consent.email.gone'].flatMap(
      (field) => conditionsOf(field, always, ['granted', 'revoked', true]),
    ),
    ...[...eventNames, 'never.happened'].flatMap((name) => [
      ...conditionsOf(`event.${name}.count`, [...always, ...comparing], [0, 1, 2, 2.5, -1]),
      ...conditionsOf(`event.${name}.lastAt`, timeOps, times),
    ]),
    ...conditionsOf('message.email.lastSentAt', timeOps, times),
  ];
}

/** A random tree of these conditions, at most `depth` deep. */
export function randomTree(random: Random, conditions: readonly ConditionNode[], depth: number): Definition {
  const kind = random();
  if (depth <= 1 || kind < 0.25) return pickFrom(random, conditions);
  if (kind < 0.4) return { not: randomTree(random, conditions, depth - 1) };
  const children = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    randomTree(random, conditions, depth - 1),
  );
  return kind < 0.7 ? { all: children } : { any: children };
}
