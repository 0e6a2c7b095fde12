import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { Condition } from '../condition.js';
import { compile, nodeCondition, type Node, type Scope } from './compile.js';
import { estimateCost, estimateSizes, remainingNode, type Estimate, type IndexScan } from './cost.js';
import { not, type Tree } from './tree.js';

/**
 * How to find the contacts that a node matches. A full scan checks every contact, newest first; an index scan starts
 * from the rows of one or several indexes. A full scan is better the more contacts match, an index scan the fewer rows
 * it starts from.
 */
export interface Plan {
  /** Null for a full scan. */
  scan: IndexScan | null;
  node: Node;
}

/** Contact ids from `before` (exclusive) down to `from` (inclusive), both optional. */
interface IdRange {
  before?: Buffer | undefined;
  from?: Buffer | undefined;
}

/**
 * Per row of an index scan, in addition to checking the node: looking up the contact, and removing duplicates
 * (measured).
 */
const joinCost = 1.2;
const distinctCost = 1.6;
/** Per contact of a full scan: reading the next one. */
const stepCost = 0.1;
/** From this cost on, it is worth planning the count of the contacts that do not match. */
const defaultComplementCost = 5_000;
/** Contacts that a full scan checks before the plan is chosen. */
const defaultProbeSize = 2_000;

/** The estimated cost of checking every contact. */
export const fullScanCost = ({ cost }: Estimate, rows: number): number => rows * (stepCost + cost);
/** The estimated cost of checking the rows of an index: nothing is left to check if they are the matches. */
export const indexScanCost = ({ node, cost }: Estimate, { size, isDistinct, exact }: IndexScan): number =>
  size * (joinCost + (isDistinct ? 0 : distinctCost) + (exact === node ? 0 : cost));

/** The estimated cost of the better plan for all matches of an estimate. */
export const planCost = (estimate: Estimate, total: number): number =>
  Math.min(estimate.scan ? indexScanCost(estimate, estimate.scan) : Infinity, fullScanCost(estimate, total));

/** FROM and WHERE of a plan. */
function fromClause(
  { scan, node }: Plan,
  environmentId: string,
  { before, from }: IdRange,
): Condition & { id: string } {
  const id = scan ? 'd.contact_id' : 'c.id';
  const unchecked = scan ? remainingNode(node, scan) : node;
  const check = unchecked && nodeCondition(unchecked, id);
  const environment = idBytes(environmentId);
  const conditions: Condition[] = [
    ...(scan ? [] : [{ sql: 'c.environment_id = ?', parameters: [environment] }]),
    ...(before ? [{ sql: `${id} < ?`, parameters: [before] }] : []),
    ...(from ? [{ sql: `${id} >= ?`, parameters: [from] }] : []),
    ...(check ? [check] : []),
  ];
  // The join excludes rows left behind by erased contacts.
  const table = scan
    ? `(${scan.sql}) d STRAIGHT_JOIN audience_contact c FORCE INDEX (environment) ON c.environment_id = ? AND c.id = d.contact_id`
    : 'audience_contact c FORCE INDEX (environment)';
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const parameters: SqlValue[] = [
    ...(scan ? [...scan.parameters, environment] : []),
    ...conditions.flatMap((each) => each.parameters),
  ];
  return { id, sql: `FROM ${table}${where}`, parameters };
}

/** The newest matching ids of a plan, in one statement. */
export async function fetchNewest(
  db: ReadSession,
  plan: Plan,
  { environmentId }: Scope,
  range: IdRange,
  limit: number,
): Promise<Buffer[]> {
  const { id, sql, parameters } = fromClause(plan, environmentId, range);
  const isOrdered = plan.scan === null || plan.scan.ordered;
  // The inner LIMIT keeps the server from sorting the index rows before it filters them.
  const text = isOrdered
    ? `SELECT ${id} AS id ${sql} ORDER BY ${id} DESC LIMIT ?`
    : `SELECT g.id FROM (SELECT c.id ${sql} LIMIT 18446744073709551615) g ORDER BY g.id DESC LIMIT ?`;
  const rows = await db.rows<{ id: Buffer }>(text, [...parameters, limit]);
  return rows.map((row) => row.id);
}

/** The id after the first `probeSize` rows of an ordered plan; undefined if it has fewer. */
async function endOfProbe(
  db: ReadSession,
  { scan }: Plan,
  { environmentId }: Scope,
  probeSize: number,
  before?: Buffer,
): Promise<Buffer | undefined> {
  const id = scan ? 'd.contact_id' : 'c.id';
  const table = scan
    ? `(${scan.sql}) d WHERE 1`
    : 'audience_contact c FORCE INDEX (environment) WHERE c.environment_id = ?';
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT ${id} AS id FROM ${table}${before ? ` AND ${id} < ?` : ''} ORDER BY ${id} DESC LIMIT 1 OFFSET ${probeSize}`,
    [...(scan ? scan.parameters : [idBytes(environmentId)]), ...(before ? [before] : [])],
  );
  return rows[0]?.id;
}

/** Compiles a tree and estimates its cost. */
export async function estimateTree(
  db: ReadSession,
  tree: Tree,
  scope: Scope,
): Promise<{ estimate: Estimate; total: number }> {
  const node = compile(tree, scope);
  const { sizes, total } = await estimateSizes(db, node, scope.environmentId);
  return { estimate: estimateCost(node, sizes, total), total };
}

/** The statement that counts a tree's matches, with its estimated cost. */
interface CountQuery extends Condition {
  cost: number;
}

async function planCount(db: ReadSession, tree: Tree, scope: Scope): Promise<CountQuery> {
  const { estimate, total } = await estimateTree(db, tree, scope);
  const { node, scan } = estimate;
  const byIndex = scan ? indexScanCost(estimate, scan) : Infinity;
  const byFullScan = fullScanCost(estimate, total);
  const { sql, parameters } = fromClause({ node, scan: byIndex < byFullScan ? scan : null }, scope.environmentId, {});
  return { sql: `SELECT COUNT(*) ${sql}`, parameters, cost: Math.min(byIndex, byFullScan) };
}

/**
 * How many contacts a tree matches now. If nearly all match, it counts the ones that do not and subtracts, in one
 * statement, so that both counts see the same data.
 * @param complementCost the estimated cost from which this is considered
 */
export async function countMatches(
  db: ReadSession,
  tree: Tree,
  scope: Scope,
  complementCost = defaultComplementCost,
): Promise<number> {
  const direct = await planCount(db, tree, scope);
  const complement = direct.cost > complementCost ? await planCount(db, not(tree), scope) : direct;
  const { sql, parameters } =
    complement.cost * 2 < direct.cost
      ? {
          sql: `(SELECT COUNT(*) FROM audience_contact c FORCE INDEX (environment) WHERE c.environment_id = ?) - (${complement.sql})`,
          parameters: [idBytes(scope.environmentId), ...complement.parameters],
        }
      : { sql: `(${direct.sql})`, parameters: direct.parameters };
  const [row] = await db.rows<{ count: number | string }>(`SELECT ${sql} AS count`, parameters);
  return Number(row?.count ?? 0);
}

/**
 * The ids of the newest contacts that a tree matches, at most `limit`. Estimates are poor when conditions exclude each
 * other, so it first scans some of the newest contacts, and chooses the plan for the rest based on the result.
 * @param before only ids below this one
 * @param probeSize how many contacts to scan before choosing
 */
export async function newestIds(
  db: ReadSession,
  tree: Tree,
  scope: Scope,
  { before, limit, probeSize = defaultProbeSize }: { before?: Buffer | undefined; limit: number; probeSize?: number },
): Promise<Buffer[]> {
  const { estimate, total } = await estimateTree(db, tree, scope);
  const { node, scan, orderedScan } = estimate;
  const inOrder: Plan = { node, scan: orderedScan && orderedScan.size < total ? orderedScan : null };
  const length = inOrder.scan?.size ?? total;
  if (scan && scan.size <= probeSize) return fetchNewest(db, { node, scan }, scope, { before }, limit);
  if (length <= probeSize) return fetchNewest(db, inOrder, scope, { before }, limit);
  const end = await endOfProbe(db, inOrder, scope, probeSize, before);
  const found = await fetchNewest(db, inOrder, scope, { before, from: end }, limit);
  if (found.length >= limit || end === undefined) return found;
  const missing = limit - found.length;
  const toScan = found.length === 0 ? length : Math.min(length, (missing * probeSize) / found.length);
  const usesIndex = scan !== null && indexScanCost(estimate, scan) < fullScanCost(estimate, toScan);
  const rest = await fetchNewest(db, usesIndex ? { node, scan } : inOrder, scope, { before: end }, missing);
  return [...found, ...rest];
}
