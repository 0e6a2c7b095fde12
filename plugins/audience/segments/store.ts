import type { ValueOf } from '#core/kernel/schema/schema.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { isRecord } from '#core/runtime/json.js';
import type { Segment } from '../resources.js';
import { segments, type SegmentRow } from '../tables/segment.js';
import { parseDefinition } from './parse.js';
import type { Tree } from './tree.js';

/** Parses the `definition` column of a segment. */
function definitionOf({ definition }: Pick<SegmentRow, 'definition'>): Record<string, unknown> {
  const stored: unknown = JSON.parse(definition);
  return isRecord(stored) ? stored : {};
}

export const treeOf = (row: Pick<SegmentRow, 'definition'>): Tree => parseDefinition(definitionOf(row));

/** A segment as it appears in replies and events. */
export const presentSegment = (row: SegmentRow): ValueOf<typeof Segment> => ({
  id: row.id,
  name: row.name,
  definition: definitionOf(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/**
 * A segment that is not deleted.
 * @throws not_found for another environment's segment, exactly as for one that does not exist
 */
export async function findSegment(db: ReadSession, environmentId: string, segmentId: string): Promise<SegmentRow> {
  const row = await selectSegment(db, environmentId, segmentId, '');
  if (row.deletedAt) throw refusalOf.not_found({ ...segments.notFound });
  return row;
}

/**
 * A segment, deleted or not, locked until the transaction ends, so that changing, deleting and using it run
 * sequentially.
 * @throws not_found as `findSegment`
 */
export const lockSegment = (db: Session, environmentId: string, segmentId: string): Promise<SegmentRow> =>
  selectSegment(db, environmentId, segmentId, ' FOR UPDATE');

async function selectSegment(
  db: ReadSession,
  environmentId: string,
  segmentId: string,
  locking: '' | ' FOR UPDATE',
): Promise<SegmentRow> {
  const [found] = await db.prepared<object>(
    `SELECT ${segments.columnList()} FROM audience_segment WHERE id = ? AND environment_id = ?${locking}`,
    [idBytes(segmentId), idBytes(environmentId)],
  );
  if (!found) throw refusalOf.not_found({ ...segments.notFound });
  return segments.decode(found);
}

/** The number of segments in an environment, without deleted ones. */
export async function countSegments(db: Session, environmentId: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(
    'SELECT COUNT(*) AS found FROM audience_segment WHERE environment_id = ? AND deleted_at IS NULL',
    [idBytes(environmentId)],
  );
  return row?.found ?? 0;
}
