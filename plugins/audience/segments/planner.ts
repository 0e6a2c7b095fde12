import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Condition } from '../eligibility/conditions.js';
import { compiled, conditionOf, type Moment, type Node } from './compile.js';
import { not, type Tree } from './tree.js';
import { remaining, sizesOf, weighed, type Begin, type Weighed } from './cost.js';

/**
 * The two ways of one tree. *walk*: along the contacts, newest first, asking of each. *gather*: from the rows of one index, or of several,
 * among which everybody stands. A walk is the better the more match, a gathering the fewer rows it begins with.
 */
export interface Way {
  /** Null: every contact. */
  begin: Begin | null;
  node: Node;
}

/** From `before` down to `from`, both optional. */
interface Span {
  before?: Buffer | undefined;
  from?: Buffer | undefined;
}

/** What looking up the contact of a gathered row costs beside the tree, and making rows of several indexes distinct (measured). */
const [joinCost, distinctCost] = [1.2, 1.6];
/** Going on to the next contact of a walk. */
const stepCost = 0.1;
/** From which cost on it is worth asking for another way to count. */
const costly = 5_000;
/** How far a walk goes before it is asked whether another way is shorter. */
const usualStretch = 2_000;

const walkCost = ({ cost }: Weighed, rows: number): number => rows * (stepCost + cost);
const gatherCost = ({ cost }: Weighed, { size, single }: Begin): number =>
  size * (joinCost + (single ? 0 : distinctCost) + cost);

/** FROM and WHERE of a way. */
function rowsOf({ begin, node }: Way, environmentId: string, { before, from }: Span): Condition & { id: string } {
  const id = begin ? 'd.contact_id' : 'c.id';
  const rest = begin ? remaining(node, begin) : node;
  const asked = rest && conditionOf(rest, id);
  const environment = idBytes(environmentId);
  const conditions: Condition[] = [
    ...(begin ? [] : [{ sql: 'c.environment_id = ?', parameters: [environment] }]),
    ...(before ? [{ sql: `${id} < ?`, parameters: [before] }] : []),
    ...(from ? [{ sql: `${id} >= ?`, parameters: [from] }] : []),
    ...(asked ? [asked] : []),
  ];
  // The contact is looked up all the same: what was left behind of an erased one is nobody.
  const table = begin
    ? `(${begin.sql}) d STRAIGHT_JOIN audience_contact c FORCE INDEX (environment) ON c.environment_id = ? AND c.id = d.contact_id`
    : 'audience_contact c FORCE INDEX (environment)';
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const parameters: SqlValue[] = [
    ...(begin ? [...begin.parameters, environment] : []),
    ...conditions.flatMap((each) => each.parameters),
  ];
  return { id, sql: `FROM ${table}${where}`, parameters };
}

/** The newest ids of a way, in one statement. */
export async function newest(
  db: Session,
  way: Way,
  { environmentId }: Moment,
  span: Span,
  limit: number,
): Promise<Buffer[]> {
  const { id, sql, parameters } = rowsOf(way, environmentId, span);
  const isInOrder = way.begin === null || way.begin.ordered;
  // Sorting what was gathered, not what it is gathered from: the LIMIT within keeps the two apart.
  const text = isInOrder
    ? `SELECT ${id} AS id ${sql} ORDER BY ${id} DESC LIMIT ?`
    : `SELECT g.id FROM (SELECT c.id ${sql} LIMIT 18446744073709551615) g ORDER BY g.id DESC LIMIT ?`;
  const rows = await db.rows<{ id: Buffer }>(text, [...parameters, limit]);
  return rows.map((row) => row.id);
}

/** The id at which the first `stretch` rows of a way in order end; undefined where it has fewer. */
async function endOfStretch(
  db: Session,
  { begin }: Way,
  { environmentId }: Moment,
  stretch: number,
  before?: Buffer,
): Promise<Buffer | undefined> {
  const id = begin ? 'd.contact_id' : 'c.id';
  const table = begin
    ? `(${begin.sql}) d WHERE 1`
    : 'audience_contact c FORCE INDEX (environment) WHERE c.environment_id = ?';
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT ${id} AS id FROM ${table}${before ? ` AND ${id} < ?` : ''} ORDER BY ${id} DESC LIMIT 1 OFFSET ${stretch}`,
    [...(begin ? begin.parameters : [idBytes(environmentId)]), ...(before ? [before] : [])],
  );
  return rows[0]?.id;
}

export interface Planned {
  tree: Weighed;
  total: number;
}

export async function planned(db: Session, tree: Tree, moment: Moment): Promise<Planned> {
  const node = compiled(tree, moment);
  const { sizes, total } = await sizesOf(db, node, moment.environmentId);
  return { tree: weighed(node, sizes, total), total };
}

/** How a tree is counted, and the guess of what that costs. */
interface Counting extends Condition {
  cost: number;
}

async function countingOf(db: Session, tree: Tree, moment: Moment): Promise<Counting> {
  const { tree: found, total } = await planned(db, tree, moment);
  const { node, begin } = found;
  const gathered = begin ? gatherCost(found, begin) : Infinity;
  const walked = walkCost(found, total);
  const { sql, parameters } = rowsOf({ node, begin: gathered < walked ? begin : null }, moment.environmentId, {});
  return { sql: `SELECT COUNT(*) ${sql}`, parameters, cost: Math.min(gathered, walked) };
}

/**
 * How many contacts a tree matches now. Where nearly everybody does, counting those it does not match and taking them from all is the
 * shorter way; still one statement, so both are counted at one moment.
 */
export async function sizeOf(db: Session, tree: Tree, moment: Moment, worthAsking = costly): Promise<number> {
  const direct = await countingOf(db, tree, moment);
  const others = direct.cost > worthAsking ? await countingOf(db, not(tree), moment) : direct;
  const { sql, parameters } =
    others.cost * 2 < direct.cost
      ? {
          sql: `(SELECT COUNT(*) FROM audience_contact c FORCE INDEX (environment) WHERE c.environment_id = ?) - (${others.sql})`,
          parameters: [idBytes(moment.environmentId), ...others.parameters],
        }
      : { sql: `(${direct.sql})`, parameters: direct.parameters };
  const [row] = await db.rows<{ size: number | string }>(`SELECT ${sql} AS size`, parameters);
  return Number(row?.size ?? 0);
}

/**
 * The ids of the newest contacts that a tree matches, at most `limit`. How many match is a guess, and conditions that exclude each other
 * make it a bad one; so it begins with a stretch of the walk, and only what that has found decides.
 * @param before of ids below this one alone
 * @param stretch how many contacts the walk goes before it is judged
 */
export async function newestIds(
  db: Session,
  tree: Tree,
  moment: Moment,
  { before, limit, stretch = usualStretch }: { before?: Buffer | undefined; limit: number; stretch?: number },
): Promise<Buffer[]> {
  const { tree: found, total } = await planned(db, tree, moment);
  const { node, begin, ordered } = found;
  const walk: Way = { node, begin: ordered && ordered.size < total ? ordered : null };
  const length = walk.begin?.size ?? total;
  if (begin && begin.size <= stretch) return newest(db, { node, begin }, moment, { before }, limit);
  if (length <= stretch) return newest(db, walk, moment, { before }, limit);
  const end = await endOfStretch(db, walk, moment, stretch, before);
  const first = await newest(db, walk, moment, { before, from: end }, limit);
  if (first.length >= limit || end === undefined) return first;
  const missing = limit - first.length;
  const toWalk = first.length === 0 ? length : Math.min(length, (missing * stretch) / first.length);
  const gathers = begin !== null && gatherCost(found, begin) < walkCost(found, toWalk);
  const rest = await newest(db, gathers ? { node, begin } : walk, moment, { before: end }, missing);
  return [...first, ...rest];
}
