import type { Context } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { AudienceUsage, UsageTarget } from '../ports.js';
import { lockTopic } from '../topics/find.js';

/** How many of one type hold on to something. */
export interface Holders {
  type: string;
  count: number;
}

/** How a topic or segment stands in `audience_hold`. */
const placeOf = (target: UsageTarget): { kind: Buffer; target: Buffer } =>
  'topic' in target
    ? { kind: Buffer.from('topic'), target: Buffer.from(target.topic) }
    : { kind: Buffer.from('segment'), target: idBytes(target.segmentId) };

/** @throws not_found, exactly alike for a segment of another environment */
async function lockSegment(db: Session, environmentId: string, segmentId: string): Promise<void> {
  const found = await db.rows(
    'SELECT id FROM audience_segment WHERE id = ? AND environment_id = ? AND deleted_at IS NULL FOR UPDATE',
    [idBytes(segmentId), idBytes(environmentId)],
  );
  if (found.length === 0) throw refusalOf.not_found({ thing: 'segment', lookup: 'audience.segment.list' });
}

/**
 * Provides the port `holds`. The topic's or segment's row is locked until the holder's transaction ends, as archiving and deleting lock
 * it too: either the holder comes first and they see it, or they come first and the holder is refused.
 */
export const makeHolds = ({ db, fail }: Context<never, 'topic_archived'>): AudienceUsage => ({
  async hold(environmentId, target, holder) {
    if ('topic' in target) {
      const { archivedAt } = await lockTopic(db, environmentId, target.topic);
      if (archivedAt) throw fail.topic_archived({ topic: target.topic });
    } else await lockSegment(db, environmentId, target.segmentId);
    const place = placeOf(target);
    const row: SqlValue[] = [idBytes(environmentId), place.kind, place.target, Buffer.from(holder.type)];
    await db.run(
      `INSERT INTO audience_hold (environment_id, kind, target, holder_type, holder_id) VALUES (?)
       ON DUPLICATE KEY UPDATE holder_id = VALUES(holder_id)`,
      [[...row, idBytes(holder.id)]],
    );
  },
  async release(holderId) {
    await db.run('DELETE FROM audience_hold WHERE holder_id = ?', [idBytes(holderId)]);
  },
});

/** Who holds on to a topic or segment, by type; empty where nobody does. The caller has locked its row. */
export async function holdersOf(db: Session, environmentId: string, target: UsageTarget): Promise<Holders[]> {
  const place = placeOf(target);
  const rows = await db.rows<{ holder_type: Buffer; held: number }>(
    `SELECT holder_type, COUNT(*) AS held FROM audience_hold
     WHERE environment_id = ? AND kind = ? AND target = ? GROUP BY holder_type ORDER BY holder_type`,
    [idBytes(environmentId), place.kind, place.target],
  );
  return rows.map(({ holder_type, held }) => ({ type: holder_type.toString(), count: held }));
}

/** Holders as refusals name them: “2 automations and 1 broadcast”. */
export function inWords(holders: readonly Holders[]): string {
  const each = holders.map(({ type, count }) => `${count} ${type}${count === 1 ? '' : 's'}`);
  const last = each.at(-1) ?? 'nobody';
  return each.length < 2 ? last : `${each.slice(0, -1).join(', ')} and ${last}`;
}
