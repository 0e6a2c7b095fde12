import type { Condition } from '../eligibility/conditions.js';
import { asked, contrary, together, type CellTest } from './operand.js';
import { channelConsentTest, consentTest } from './conditions/consent.js';
import { contactTest } from './conditions/contact.js';
import { eventTest } from './conditions/event.js';
import { messageTest } from './conditions/message.js';
import { propertyTest } from './conditions/property.js';
import { parseDefinition } from './parse.js';
import type { Leaf, Tree } from './tree.js';

/** In which environment, and at what time. */
export interface Moment {
  environmentId: string;
  now: Date;
}

/** A tree whose leaves are conditions about cells; nothing in it negates but the leaves themselves. */
export type Node = { is: 'all' | 'any'; of: readonly Node[] } | { is: 'cell'; test: CellTest };

function cellTest({ field, test }: Leaf, { environmentId, now }: Moment): CellTest {
  switch (field.of) {
    case 'property':
      return propertyTest(environmentId, field.key, test, now);
    case 'consent':
      return consentTest(environmentId, field, test, now);
    case 'channelConsent':
      return channelConsentTest(environmentId, field.channel);
    case 'event':
      return eventTest(environmentId, field, test, now);
    case 'message':
      return messageTest(environmentId, field.channel, test, now);
    default:
      return contactTest(environmentId, field.of, test, now);
  }
}

/** De Morgan: `not` goes down to the leaves, so that three-valued logic never meets a NOT. */
export function compiled(tree: Tree, moment: Moment, negated = false): Node {
  if (tree.is === 'not') return compiled(tree.of, moment, !negated);
  if (tree.is === 'leaf') {
    const test = cellTest(tree, moment);
    return { is: 'cell', test: negated ? contrary(test) : test };
  }
  const is = (tree.is === 'all') === negated ? 'any' : 'all';
  return grouped(
    is,
    tree.of.map((each) => compiled(each, moment, negated)),
  );
}

/** Children of the same kind taken in, and conditions about one cell made one. */
function grouped(is: 'all' | 'any', children: readonly Node[]): Node {
  const flat = children.flatMap((child) => (child.is === is ? child.of : [child]));
  const cells = new Map<string, [CellTest, ...CellTest[]]>();
  for (const child of flat) {
    if (child.is !== 'cell') continue;
    const { key } = child.test.cell;
    const known = cells.get(key);
    if (known) known.push(child.test);
    else cells.set(key, [child.test]);
  }
  const nodes: Node[] = [
    ...[...cells.values()].map((tests): Node => ({ is: 'cell', test: together(is, tests) })),
    ...flat.filter((child) => child.is !== 'cell'),
  ];
  const [only] = nodes;
  return only && nodes.length === 1 ? only : { is, of: nodes };
}

/** A tree as a condition on one contact. @param id the expression of the contact's id; columns of the contact are those of `c` */
export function conditionOf(node: Node, id: string): Condition {
  if (node.is === 'cell') return asked(node.test, id);
  const parts = node.of.map((each) => conditionOf(each, id));
  // A list without filters.
  if (parts.length === 0) return { sql: node.is === 'all' ? '1' : '0', parameters: [] };
  return {
    sql: `(${parts.map(({ sql }) => sql).join(node.is === 'all' ? ' AND ' : ' OR ')})`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/**
 * A segment's definition as a condition on the contacts `c`, for other statements to take in: `WHERE c.environment_id = ? AND (…)`.
 * @throws DefinitionFault naming the node at fault
 */
export function segmentCondition(definition: unknown, environmentId: string, now: Date): Condition {
  return conditionOf(compiled(parseDefinition(definition), { environmentId, now }), 'c.id');
}
