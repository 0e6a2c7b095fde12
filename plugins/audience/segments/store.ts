import type { ValueOf } from '#core/kernel/schema/schema.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Segment } from '../resources.js';
import { segments, type SegmentRow } from '../tables/segment.js';
import { parseDefinition } from './parse.js';
import type { Tree } from './tree.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A definition from its column. */
export function definitionOf({ definition }: Pick<SegmentRow, 'definition'>): Record<string, unknown> {
  const stored: unknown = JSON.parse(definition);
  return isObject(stored) ? stored : {};
}

export const treeOf = (row: Pick<SegmentRow, 'definition'>): Tree => parseDefinition(definitionOf(row));

/** A segment as replies and events carry it. */
export const presentSegment = (row: SegmentRow): ValueOf<typeof Segment> => ({
  id: row.id,
  name: row.name,
  definition: definitionOf(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Deleted ones included, which are left for a repeated delete alone to find. */
export async function findAnySegment(db: Session, environmentId: string, segmentId: string): Promise<SegmentRow> {
  const row = await db.findOne(segments, { id: segmentId, environmentId });
  if (!row) throw refusalOf.not_found({ thing: 'segment', lookup: 'audience.segment.list' });
  return row;
}

/** @throws not_found where the environment has no such segment, or has it no more */
export async function findSegment(db: Session, environmentId: string, segmentId: string): Promise<SegmentRow> {
  const row = await findAnySegment(db, environmentId, segmentId);
  if (row.deletedAt) throw refusalOf.not_found({ thing: 'segment', lookup: 'audience.segment.list' });
  return row;
}

/** Locks a segment until the transaction ends: changing it, deleting it and taking hold of it go one by one. */
export async function lockSegment(db: Session, environmentId: string, segmentId: string): Promise<void> {
  await db.rows('SELECT id FROM audience_segment WHERE id = ? AND environment_id = ? FOR UPDATE', [
    idBytes(segmentId),
    idBytes(environmentId),
  ]);
}

/** How many segments an environment has. */
export async function countSegments(db: Session, environmentId: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(
    'SELECT COUNT(*) AS found FROM audience_segment WHERE environment_id = ? AND deleted_at IS NULL',
    [idBytes(environmentId)],
  );
  return row?.found ?? 0;
}
