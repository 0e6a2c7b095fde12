import type { Context } from '#core/kernel/context.js';
import { keyPattern } from '#core/kernel/schema/patterns.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import {
  referenceColumns,
  referenceCounts,
  type ReferenceCount,
  type ReferenceCountRow,
} from '#core/messaging/references.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { AudienceReferences, ReferenceTarget } from '../ports.js';
import { lockSegment } from './store.js';
import { references } from '../tables/reference.js';
import { lockTopic } from '../topics/find.js';

/** The columns of `audience_usage` that identify a topic or segment. */
const targetColumns = (target: ReferenceTarget): { kind: 'topic' | 'segment'; target: Buffer } =>
  'topic' in target
    ? { kind: 'topic', target: Buffer.from(target.topic) }
    : { kind: 'segment', target: idBytes(target.segmentId) };

/**
 * Provides the port `audienceUsage`. It locks the topic or segment until the transaction ends, as archiving and
 * deleting do: either they see the reference, or the reference is refused.
 */
export const makeAudienceReferences = ({ db, fail }: Context<never, 'topic_archived'>): AudienceReferences => {
  const record: AudienceReferences['markReferenced'] = async (environmentId, target, referrer) => {
    const row = { environmentId, ...targetColumns(target), inUseByType: referrer.type, inUseById: referrer.id };
    await db.run(references.upsertRows([row], ['inUseById']));
  };
  return {
    async markReferenced(environmentId, target, referrer) {
      if ('topic' in target) {
        const { archivedAt } = await lockTopic(db, environmentId, target.topic);
        if (archivedAt) throw fail.topic_archived({ topic: target.topic });
      } else {
        const { deletedAt } = await lockSegment(db, environmentId, target.segmentId);
        if (deletedAt) throw refusalOf.not_found({ thing: 'segment', lookup: 'audience.segment.list' });
      }
      await record(environmentId, target, referrer);
    },
    async markTopicNamed(environmentId, topic, referrer) {
      // A text that is not a valid key can never become a topic.
      if (new RegExp(keyPattern).test(topic)) await record(environmentId, { topic }, referrer);
    },
    async freeReferences(referrerId) {
      await db.remove(references, { inUseById: referrerId });
    },
  };
};

/** What refers to a topic or segment, by type; empty if nothing does. The caller has locked its row. */
export async function referencesTo(
  db: Session,
  environmentId: string,
  target: ReferenceTarget,
): Promise<ReferenceCount[]> {
  const columns = targetColumns(target);
  const rows = await db.rows<ReferenceCountRow>(
    `SELECT ${referenceColumns} FROM audience_usage
     WHERE environment_id = ? AND kind = ? AND target = ? GROUP BY in_use_by_type ORDER BY in_use_by_type`,
    [idBytes(environmentId), Buffer.from(columns.kind), columns.target],
  );
  return referenceCounts(rows);
}
