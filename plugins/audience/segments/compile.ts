import type { Condition } from '../condition.js';
import { channelConsentComparison, consentComparison } from './conditions/consent.js';
import { contactComparison } from './conditions/contact.js';
import { eventComparison } from './conditions/event.js';
import { messageComparison } from './conditions/message.js';
import { propertyComparison } from './conditions/property.js';
import { combine, comparisonCondition, negate, type Comparison } from './operand.js';
import type { ConditionNode, Tree } from './tree.js';

/** The environment and time that a definition is evaluated for. */
export interface Scope {
  environmentId: string;
  now: Date;
}

/** A compiled definition. It contains no negations: they are part of the comparisons. */
export type Node = { is: 'all' | 'any'; of: readonly Node[] } | { is: 'comparison'; comparison: Comparison };

function comparisonOf({ field, test }: ConditionNode, { environmentId, now }: Scope): Comparison {
  switch (field.of) {
    case 'property':
      return propertyComparison(environmentId, field.key, test, now);
    case 'consent':
      return consentComparison(environmentId, field, test, now);
    case 'channelConsent':
      return channelConsentComparison(environmentId, field.channel);
    case 'event':
      return eventComparison(environmentId, field, test, now);
    case 'message':
      return messageComparison(environmentId, field.channel, test, now);
    case 'email':
    case 'phone':
    case 'locale':
    case 'createdAt':
    case 'externalId':
    case 'firstName':
    case 'lastName':
      return contactComparison(environmentId, field.of, test, now);
  }
}

/**
 * Compiles a tree. Negations are pushed down to the comparisons (De Morgan), where missing values are handled
 * explicitly.
 */
export function compile(tree: Tree, scope: Scope, negated = false): Node {
  if (tree.is === 'not') return compile(tree.of, scope, !negated);
  if (tree.is === 'condition') {
    const comparison = comparisonOf(tree, scope);
    return { is: 'comparison', comparison: negated ? negate(comparison) : comparison };
  }
  const is = (tree.is === 'all') === negated ? 'any' : 'all';
  return simplify(
    is,
    tree.of.map((each) => compile(each, scope, negated)),
  );
}

/** Flattens children of the same kind, and combines comparisons of the same operand. */
function simplify(is: 'all' | 'any', children: readonly Node[]): Node {
  const flat = children.flatMap((child) => (child.is === is ? child.of : [child]));
  const byOperand = new Map<string, [Comparison, ...Comparison[]]>();
  for (const child of flat) {
    if (child.is !== 'comparison') continue;
    const { key } = child.comparison.operand;
    const known = byOperand.get(key);
    if (known) known.push(child.comparison);
    else byOperand.set(key, [child.comparison]);
  }
  const nodes: Node[] = [
    ...[...byOperand.values()].map((all): Node => ({ is: 'comparison', comparison: combine(is, all) })),
    ...flat.filter((child) => child.is !== 'comparison'),
  ];
  const [only] = nodes;
  return only && nodes.length === 1 ? only : { is, of: nodes };
}

/**
 * A node as a condition on one contact. @param contactId SQL expression of the contact's id; the contact's own columns
 * are those of `c`
 */
export function nodeCondition(node: Node, contactId: string): Condition {
  if (node.is === 'comparison') return comparisonCondition(node.comparison, contactId);
  const parts = node.of.map((each) => nodeCondition(each, contactId));
  // A list without filters.
  if (parts.length === 0) return { sql: node.is === 'all' ? '1' : '0', parameters: [] };
  return {
    sql: `(${parts.map(({ sql }) => sql).join(node.is === 'all' ? ' AND ' : ' OR ')})`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}
