import type { Environment } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { eventColumns, type EventRow } from '#core/kernel/events/resource.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';

/** An event of the environment. @throws not_found */
export async function findEvent(
  db: Pick<ReadSession, 'rows'>,
  environment: Pick<Environment, 'id'>,
  eventId: string,
): Promise<EventRow> {
  const [row] = await db.rows<EventRow>(
    `SELECT ${eventColumns} FROM svc_event v WHERE v.id = ? AND v.environment_id = ?`,
    [idBytes(eventId), idBytes(environment.id)],
  );
  if (!row) throw refusalOf.not_found({ thing: 'event', lookup: 'developers.event.list' });
  return row;
}
