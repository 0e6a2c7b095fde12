import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { topics } from '../tables/topic.js';

/** The maximum number of topics of an environment that are not archived. */
export const maxActive = 200;
/** The maximum number of all topics of an environment: unsubscribing from everything writes a record for each. */
export const maxTopics = 10 * maxActive;

type Fail = ErrorMakers<'limit_reached', SvcError>;

/** Call this with the environment locked. @throws limit_reached if one more topic cannot be in use */
export async function requireRoomForActive(db: Session, environmentId: string, fail: Fail): Promise<void> {
  const [row] = await db.rows<{ active: number }>(
    'SELECT COUNT(*) AS active FROM audience_topic WHERE environment_id = ? AND archived_at IS NULL',
    [idBytes(environmentId)],
  );
  if ((row?.active ?? 0) < maxActive) return;
  throw fail.limit_reached({
    limit: maxActive,
    things: 'topics in this environment that are not archived',
    nextStep: 'Archive a topic that is no longer used with audience.topic.archive; audience.topic.list shows them.',
  });
}

/** Call this with the environment locked. @throws limit_reached if one more topic cannot be created */
export async function requireRoomForNew(db: Session, environmentId: string, fail: Fail): Promise<void> {
  await requireRoomForActive(db, environmentId, fail);
  if ((await db.count(topics, { environmentId })) < maxTopics) return;
  throw fail.limit_reached({
    limit: maxTopics,
    things: 'topics in this environment, archived ones included',
    nextStep:
      'Topics cannot be deleted: restore an archived one with audience.topic.restore and change it with audience.topic.update.',
  });
}
