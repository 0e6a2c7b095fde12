import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Condition } from '../condition.js';
import type { ContactRange } from '../ports.js';
import { nodeCondition, type Node, type Scope } from './compile.js';
import { remainingNode, type IndexScan } from './cost.js';
import { estimateTree, fullScanCost, indexScanCost } from './planner.js';
import type { Tree } from './tree.js';

/**
 * The contacts that work in batches goes through, such as the counting of an audience: all of an environment, or those
 * that an index lists for a segment.
 */
export interface Candidates {
  /** SELECT of ids, `contact_id`, each once; null for all contacts. */
  readonly rows: Condition | null;
  /** What else the contacts `c` must match. */
  readonly check: Condition | null;
}

export const everybody: Candidates = { rows: null, check: null };

/** Per index row that is not in the order of the ids, and batch: each batch reads them all, from the index only. */
const reReadCost = 0.1;
/** Each batch sorts the ids of such rows: a statement with more would take seconds. */
const mostUnordered = 1_000_000;

/**
 * The candidates of a segment: the rows of an index if there are fewer of them than contacts, so that a segment of n
 * contacts costs about n however many contacts the environment has.
 * @param perBatch how many contacts a batch takes
 */
export async function candidatesOf(db: ReadSession, tree: Tree, scope: Scope, perBatch: number): Promise<Candidates> {
  const { estimate, total } = await estimateTree(db, tree, scope);
  const { node, scan, orderedScan } = estimate;
  const cost = (each: IndexScan): number => {
    if (each.ordered) return indexScanCost(estimate, each);
    if (each.size > mostUnordered) return Infinity;
    return indexScanCost(estimate, each) + reReadCost * each.size * Math.ceil(each.size / perBatch);
  };
  const [best] = [scan, orderedScan].flatMap((each) => each ?? []).sort((a, b) => cost(a) - cost(b));
  return candidatesFrom(node, best && cost(best) < fullScanCost(estimate, total) ? best : null);
}

/** The candidates of a node by an index scan of it; null for a check of all contacts. */
export function candidatesFrom(node: Node, scan: IndexScan | null): Candidates {
  const remaining = scan === null ? node : remainingNode(node, scan);
  return { rows: scan, check: remaining && nodeCondition(remaining, 'c.id') };
}

/** FROM and WHERE of the candidates in a range of ids, as the contacts `c`. */
export function fromCandidates(environmentId: string, { rows, check }: Candidates, range: ContactRange): Condition {
  const within = rangeCondition(rows === null ? 'c.id' : 'd.contact_id', range);
  const table =
    rows === null
      ? 'audience_contact c FORCE INDEX (environment)'
      : `(${rows.sql}) d STRAIGHT_JOIN audience_contact c FORCE INDEX (PRIMARY) ON c.id = d.contact_id`;
  return {
    sql: `FROM ${table} WHERE c.environment_id = ?${within.sql}${check ? ` AND (${check.sql})` : ''}`,
    parameters: [
      ...(rows?.parameters ?? []),
      idBytes(environmentId),
      ...within.parameters,
      ...(check?.parameters ?? []),
    ],
  };
}

/** The ids of the next candidates, in their order. */
export const idsAfter = (
  environmentId: string,
  { rows }: Candidates,
  after: string | null,
  count: number,
): Condition => {
  const id = rows === null ? 'c.id' : 'd.contact_id';
  const from =
    rows === null
      ? 'audience_contact c FORCE INDEX (environment) WHERE c.environment_id = ?'
      : `(${rows.sql}) d WHERE TRUE`;
  return {
    sql: `SELECT ${id} AS id FROM ${from}${after === null ? '' : ` AND ${id} > ?`} ORDER BY ${id} LIMIT ?`,
    parameters: [
      ...(rows === null ? [idBytes(environmentId)] : rows.parameters),
      ...(after === null ? [] : [idBytes(after)]),
      count,
    ],
  };
};

const rangeCondition = (id: string, { after, upTo }: ContactRange): Condition =>
  after === null
    ? { sql: ` AND ${id} <= ?`, parameters: [idBytes(upTo)] }
    : { sql: ` AND ${id} > ? AND ${id} <= ?`, parameters: [idBytes(after), idBytes(upTo)] };
