import type { Channel } from '../ports.js';
import type { PropertyValue } from '../contacts/value-key.js';

/** What of a contact a condition asks about. */
export type Field =
  | { of: 'email' | 'phone' | 'locale' | 'createdAt' }
  | { of: 'property'; key: string }
  | { of: 'consent'; channel: Channel; topic: string }
  | { of: 'event'; name: string; part: 'count' | 'lastAt' }
  | { of: 'message'; channel: Channel }
  /** For audience.contact.list alone; no definition names them. */
  | { of: 'externalId' | 'firstName' | 'lastName' }
  | { of: 'channelConsent'; channel: Channel };

/** What is asked of the field's value; a contact without a value never passes. */
export type Test =
  | { op: 'exists' }
  /** Equality is membership in a list of one. */
  | { op: 'in'; values: readonly PropertyValue[] }
  | { op: 'gt' | 'gte' | 'lt' | 'lte'; value: PropertyValue }
  | { op: 'contains' | 'starts_with'; value: string }
  | { op: 'within_days'; days: number };

export interface Leaf {
  is: 'leaf';
  field: Field;
  test: Test;
}

/** A definition as the compiler takes it: typed, its values of the field's kind, `neq` and `not_exists` said as `not`. */
export type Tree = { is: 'all' | 'any'; of: readonly Tree[] } | { is: 'not'; of: Tree } | Leaf;

export const not = (of: Tree): Tree => ({ is: 'not', of });
