import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Condition } from '../eligibility/conditions.js';
import { ranged, type CellTest } from './operand.js';
import type { Node } from './compile.js';

/** Rows to begin with, among which everybody is whom the tree matches. */
export interface Begin extends Condition {
  /** How many rows, as the server guesses from its index. */
  size: number;
  /** The indexes of one value hold contacts in the order of their ids. */
  ordered: boolean;
  /** They are one index's rows as they stand; else they have to be made distinct first. */
  single: boolean;
  /** The node that these rows are exactly those of, and which need not be asked again. */
  exact: Node | null;
}

/** A tree, its children in the order in which asking them costs least, and what asking costs. */
export interface Weighed {
  node: Node;
  /** How many of all contacts pass, guessed as if conditions were independent. */
  share: number;
  /** Rows looked up per contact, on average: the first child that decides ends it. */
  cost: number;
  /** The fewest rows to begin with; null where only walking all contacts finds everybody. */
  begin: Begin | null;
  /** The same among those in order. */
  ordered: Begin | null;
}

/** What holds of who has no value mostly holds, and no index says of how many. */
const unknownShare = 0.9;
const columnCost = 0.3;

const smaller = (a: Begin | null, b: Begin | null): Begin | null => (a === null || (b && b.size < a.size) ? b : a);

function weighCell(node: Node & { is: 'cell' }, size: number | undefined, total: number): Weighed {
  const { test } = node;
  const rows = ranged(test);
  const cost = test.cell.row ? 1 : columnCost;
  if (!rows || size === undefined) return { node, share: unknownShare, cost, begin: null, ordered: null };
  const single = !test.cell.range?.repeats;
  const ordered = test.point && test.cell.range?.ordered === true;
  const begin: Begin = { ...rows, size, ordered, single, exact: node };
  return { node, share: Math.min(1, size / Math.max(1, total)), cost, begin, ordered: ordered ? begin : null };
}

/** Every child's rows together, where each child has some. */
function union(node: Node, children: readonly Weighed[]): Begin | null {
  const begins = children.flatMap(({ begin }) => begin ?? []);
  if (begins.length === 0 || begins.length < children.length) return null;
  return {
    sql: begins.map(({ sql }) => `(${sql})`).join(' UNION '),
    parameters: begins.flatMap(({ parameters }) => parameters),
    size: begins.reduce((sum, { size }) => sum + size, 0),
    ordered: false,
    single: false,
    exact: begins.every(({ exact }, index) => exact === children[index]?.node) ? node : null,
  };
}

/** @param sizes how many rows each condition's range holds @param total how many contacts there are */
export function weighed(node: Node, sizes: ReadonlyMap<CellTest, number>, total: number): Weighed {
  if (node.is === 'cell') return weighCell(node, sizes.get(node.test), total);
  const goesOn = (share: number): number => (node.is === 'all' ? share : 1 - share);
  const rank = ({ cost, share }: Weighed): number => cost / Math.max(1e-6, 1 - goesOn(share));
  const children = node.of.map((each) => weighed(each, sizes, total)).sort((a, b) => rank(a) - rank(b));
  const sorted: Node = { is: node.is, of: children.map((each) => each.node) };
  let [cost, reached] = [0, 1];
  for (const each of children) {
    cost += reached * each.cost;
    reached *= goesOn(each.share);
  }
  const share = node.is === 'all' ? reached : 1 - reached;
  if (node.is === 'any') return { node: sorted, share, cost, begin: union(sorted, children), ordered: null };
  return {
    node: sorted,
    share,
    cost,
    begin: children.map(({ begin }) => begin).reduce(smaller, null),
    ordered: children.map(({ ordered }) => ordered).reduce(smaller, null),
  };
}

const testsIn = (node: Node): CellTest[] => (node.is === 'cell' ? [node.test] : node.of.flatMap(testsIn));

/** What remains to be asked of rows of `begin`; null where nothing does. */
export function remaining(node: Node, begin: Begin): Node | null {
  if (node === begin.exact) return null;
  if (node.is !== 'all') return node;
  const of = node.of.filter((child) => child !== begin.exact);
  return of.length === 0 ? null : { is: 'all', of };
}

interface Explained {
  id: number | null;
  rows: number | string | null;
}

/**
 * Asks the server how many rows each condition's range holds, and how many contacts there are: it looks at two places of each index and
 * reads no rows.
 */
export async function sizesOf(
  db: Session,
  node: Node,
  environmentId: string,
): Promise<{ sizes: Map<CellTest, number>; total: number }> {
  const ranges = testsIn(node).flatMap((test) => {
    const rows = ranged(test);
    return rows ? [{ test, ...rows }] : [];
  });
  const all = 'SELECT id AS contact_id FROM audience_contact FORCE INDEX (environment) WHERE environment_id = ?';
  const sql = [all, ...ranges.map((each) => each.sql)].join(' UNION ALL ');
  const parameters: SqlValue[] = [idBytes(environmentId), ...ranges.flatMap((each) => each.parameters)];
  const plan = await db.rows<Explained>(`EXPLAIN ${sql}`, parameters);
  /** By the number of the SELECT; one over two tables has two rows. */
  const guessed = new Map<number, number>();
  for (const { id, rows } of plan) {
    if (id !== null) guessed.set(id, (guessed.get(id) ?? 1) * Number(rows ?? 0));
  }
  const sizes = new Map(ranges.map(({ test }, index) => [test, guessed.get(index + 2) ?? 0]));
  return { sizes, total: guessed.get(1) ?? 0 };
}
