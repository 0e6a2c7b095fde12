import type { Channel } from '../ports.js';
import type { PropertyValue } from '../contacts/value-key.js';

/*
 * A new field needs a member of Field; its kind, operators and form (field-kinds.ts); its comparison (comparisonOf in
 * compile.ts, conditions/), which fails to compile until then; its name (parseField in field.ts) and, if its values are
 * normalized, normalizeValue in value.ts; a kind in the console (families in console/definition.ts); its meaning in
 * test/audience/segment/interpreter.ts.
 */

/** The value of a contact that a condition is about. */
export type Field =
  | { of: 'email' | 'phone' | 'locale' | 'createdAt' }
  | { of: 'property'; key: string }
  | { of: 'consent'; channel: Channel; topic: string }
  | { of: 'event'; name: string; part: 'count' | 'lastAt' }
  | { of: 'message'; channel: Channel }
  /** Only for the filters of audience.contact.list; definitions cannot name them. */
  | { of: 'externalId' | 'firstName' | 'lastName' }
  | { of: 'channelConsent'; channel: Channel };

/** The test of a condition; a contact without a value never passes it. */
export type Test =
  | { op: 'exists' }
  /** Equality is a list of one value. */
  | { op: 'in'; values: readonly PropertyValue[] }
  | { op: 'gt' | 'gte' | 'lt' | 'lte'; value: PropertyValue }
  | { op: 'contains' | 'starts_with'; value: string }
  | { op: 'within_days'; days: number };

export interface ConditionNode {
  is: 'condition';
  field: Field;
  test: Test;
  /** Its place in the definition, such as all[1]; filters of audience.contact.list have none. */
  path?: string;
}

/** A parsed definition: fields and values are typed, `neq` and `not_exists` are expressed as `not`. */
export type Tree = { is: 'all' | 'any'; of: readonly Tree[] } | { is: 'not'; of: Tree } | ConditionNode;

export const not = (of: Tree): Tree => ({ is: 'not', of });
