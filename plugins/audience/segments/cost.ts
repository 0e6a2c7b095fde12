import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { Condition } from '../condition.js';
import type { Node } from './compile.js';
import { indexRows, type Comparison } from './operand.js';

/** Index rows that cover every contact that a node matches. */
export interface IndexScan extends Condition {
  /** Estimated number of rows. */
  size: number;
  /** Whether the rows are in the order of the contacts' ids. */
  ordered: boolean;
  /** Whether they come from one index without duplicates; otherwise duplicates must be removed. */
  isDistinct: boolean;
  /** The node that these rows match exactly and that needs no further check. */
  exact: Node | null;
}

/** A node with its estimated cost, and its children in the order in which they are cheapest to check. */
export interface Estimate {
  node: Node;
  /** Estimated share of contacts that match, as if conditions were independent. */
  share: number;
  /** Estimated row lookups per contact; the first child that decides ends the check. */
  cost: number;
  /** The smallest index scan; null if only a full scan finds every match. */
  scan: IndexScan | null;
  /** The smallest index scan in the order of the contacts' ids. */
  orderedScan: IndexScan | null;
}

/** Contacts without this value usually match a negated condition, and no index counts them: assume 90%. */
const defaultShare = 0.9;
/** Cost of comparing a column of the contact itself, relative to looking up a row. */
const columnCost = 0.3;

const smaller = (a: IndexScan | null, b: IndexScan | null): IndexScan | null =>
  a === null || (b && b.size < a.size) ? b : a;

function estimateComparison(node: Node & { is: 'comparison' }, size: number | undefined, total: number): Estimate {
  const { operand, isEquality } = node.comparison;
  const rows = indexRows(node.comparison);
  const cost = operand.row ? 1 : columnCost;
  if (!rows || size === undefined) return { node, share: defaultShare, cost, scan: null, orderedScan: null };
  const ordered = isEquality && operand.range?.ordered === true;
  const scan: IndexScan = { ...rows, size, ordered, isDistinct: !operand.range?.hasDuplicates, exact: node };
  return { node, share: Math.min(1, size / Math.max(1, total)), cost, scan, orderedScan: ordered ? scan : null };
}

/** The union of the children's index scans; null unless every child has one. */
function unionScan(node: Node, children: readonly Estimate[]): IndexScan | null {
  const scans = children.flatMap(({ scan }) => scan ?? []);
  if (scans.length === 0 || scans.length < children.length) return null;
  return {
    sql: scans.map(({ sql }) => `(${sql})`).join(' UNION '),
    parameters: scans.flatMap(({ parameters }) => parameters),
    size: scans.reduce((sum, { size }) => sum + size, 0),
    ordered: false,
    isDistinct: false,
    exact: scans.every(({ exact }, index) => exact === children[index]?.node) ? node : null,
  };
}

/**
 * Estimates the cost of a node.
 * @param sizes number of index rows of each comparison
 * @param total number of contacts
 */
export function estimateCost(node: Node, sizes: ReadonlyMap<Comparison, number>, total: number): Estimate {
  if (node.is === 'comparison') return estimateComparison(node, sizes.get(node.comparison), total);
  /** The share of contacts for which the next child has to be checked too. */
  const undecided = (share: number): number => (node.is === 'all' ? share : 1 - share);
  const rank = ({ cost, share }: Estimate): number => cost / Math.max(1e-6, 1 - undecided(share));
  const children = node.of.map((each) => estimateCost(each, sizes, total)).sort((a, b) => rank(a) - rank(b));
  const sorted: Node = { is: node.is, of: children.map((each) => each.node) };
  let cost = 0;
  let remainingShare = 1;
  for (const each of children) {
    cost += remainingShare * each.cost;
    remainingShare *= undecided(each.share);
  }
  const share = node.is === 'all' ? remainingShare : 1 - remainingShare;
  if (node.is === 'any') return { node: sorted, share, cost, scan: unionScan(sorted, children), orderedScan: null };
  return {
    node: sorted,
    share,
    cost,
    scan: children.map(({ scan }) => scan).reduce(smaller, null),
    orderedScan: children.map(({ orderedScan }) => orderedScan).reduce(smaller, null),
  };
}

const comparisonsIn = (node: Node): Comparison[] =>
  node.is === 'comparison' ? [node.comparison] : node.of.flatMap(comparisonsIn);

/** What must still be checked for the rows of an index scan; null for nothing. */
export function remainingNode(node: Node, scan: IndexScan): Node | null {
  if (node === scan.exact) return null;
  if (node.is !== 'all') return node;
  const of = node.of.filter((child) => child !== scan.exact);
  return of.length === 0 ? null : { is: 'all', of };
}

interface ExplainedRow {
  id: number | null;
  rows: number | string | null;
}

/**
 * Gets the number of index rows of each comparison and of contacts from the server's EXPLAIN. It reads no rows, only
 * index statistics.
 */
export async function estimateSizes(
  db: ReadSession,
  node: Node,
  environmentId: string,
): Promise<{ sizes: Map<Comparison, number>; total: number }> {
  const ranges = comparisonsIn(node).flatMap((comparison) => {
    const rows = indexRows(comparison);
    return rows ? [{ comparison, ...rows }] : [];
  });
  const all = 'SELECT id AS contact_id FROM audience_contact FORCE INDEX (environment) WHERE environment_id = ?';
  const sql = [all, ...ranges.map((each) => each.sql)].join(' UNION ALL ');
  const parameters: SqlValue[] = [idBytes(environmentId), ...ranges.flatMap((each) => each.parameters)];
  const plan = await db.rows<ExplainedRow>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, parameters);
  /** By the number of the SELECT, counted from 1. A SELECT over two tables has two rows. */
  const estimates = new Map<number, number>();
  for (const { id, rows } of plan) {
    if (id !== null) estimates.set(id, (estimates.get(id) ?? 1) * Number(rows ?? 0));
  }
  const sizes = new Map(ranges.map(({ comparison }, index) => [comparison, estimates.get(index + 2) ?? 0]));
  return { sizes, total: estimates.get(1) ?? 0 };
}
