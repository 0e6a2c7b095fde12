import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { isStatementTimeout } from '#core/runtime/database/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { readSeconds } from '#core/runtime/database/time-limit.js';
import { compile, type Node, type Scope } from './compile.js';
import { estimateCost, estimateSizes } from './cost.js';
import { planCost } from './planner.js';
import type { ConditionNode, Tree } from './tree.js';

const problem = `takes longer than ${readSeconds} seconds to evaluate for this environment’s contacts: use eq or starts_with instead of contains or not, or fewer conditions`;

/** The conditions of a tree, each with whether it is negated. */
function conditionsIn(tree: Tree, negated = false): { condition: ConditionNode; negated: boolean }[] {
  if (tree.is === 'condition') return [{ condition: tree, negated }];
  if (tree.is === 'not') return conditionsIn(tree.of, !negated);
  return tree.of.flatMap((each) => conditionsIn(each, negated));
}

/**
 * The path of the condition of the definition with the highest estimated cost; undefined for a tree without a
 * definition.
 */
async function costliestPath(db: ReadSession, tree: Tree, scope: Scope): Promise<string | undefined> {
  const nodes = conditionsIn(tree).flatMap(({ condition, negated }) =>
    condition.path === undefined ? [] : [{ path: condition.path, node: compile(condition, scope, negated) }],
  );
  const all: Node = { is: 'all', of: nodes.map(({ node }) => node) };
  const { sizes, total } = await estimateSizes(db, all, scope.environmentId);
  const costs = nodes.map(({ path, node }) => ({ path, cost: planCost(estimateCost(node, sizes, total), total) }));
  return costs.sort((a, b) => b.cost - a.cost)[0]?.path;
}

/**
 * Evaluates a tree.
 * @throws invalid_definition naming the most expensive condition if a statement took longer than its time limit;
 * invalid_input if a filter of audience.contact.list did
 */
export async function evaluate<T>(
  { db, scope, fail }: { db: ReadSession; scope: Scope; fail: ErrorMakers<'invalid_definition', SvcError> },
  tree: Tree,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    const path = await costliestPath(db, tree, scope);
    if (path !== undefined) {
      const node = path === '' ? 'definition' : path;
      throw fail.invalid_definition({ node, problem, details: { node } });
    }
    throw invalidField('query', problem);
  }
}
