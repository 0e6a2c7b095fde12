import { idText } from '#core/runtime/id.js';
import { listAt } from '#test/support/json.js';
import { acceptedOf, answered, byId, checkRepeats, type Evidence } from './check.js';

const wants = (types: readonly string[], type: string): boolean =>
  types.length === 0 || types.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));

/**
 * Every event since the creation of an endpoint reaches it, and is recorded as delivered.
 * @returns how many deliveries arrived more than once
 */
export async function checkWebhooks(evidence: Evidence): Promise<number> {
  const { db, journal, violations, environment } = evidence;
  const rows = await db.rows<{ id: Buffer; type: Buffer; subject: Buffer; position: string | number }>(
    'SELECT id, type, subject_id AS subject, position FROM svc_event WHERE environment_id = ? ORDER BY position',
    [environment],
  );
  const gap = rows.find(({ position }, index) => Number(position) !== index + Number(rows[0]?.position));
  if (gap) violations.add('The log of events has no gap', `There is no event before position ${gap.position}.`);
  const events = rows.map((row) => ({
    id: idText(row.id),
    type: row.type.toString(),
    subject: row.subject.toString(),
  }));
  const attempts = await db.rows<{ id: Buffer }>(
    "SELECT DISTINCT event_id AS id FROM developers_delivery WHERE status <> 'delivered'",
  );
  const failed = new Set(attempts.map(({ id }) => idText(id)));
  let repeats = 0;
  for (const entry of acceptedOf(journal, 'developers.webhook.create')) {
    const id = answered(entry, 'result', 'endpoint', 'endpointId');
    const path = new URL(String(entry.input['url'])).pathname;
    const types = listAt(entry.input, 'eventTypes').map(String);
    const since = events.findIndex(({ type, subject }) => type === 'developers.webhook.created' && subject === id);
    const owed = new Set(events.slice(since).flatMap((event) => (wants(types, event.type) ? [event.id] : [])));
    const arrived = byId(journal.webhooks.filter(({ to }) => to === path));
    for (const event of owed)
      if (!arrived.has(event))
        violations.add('Every event reaches every endpoint', `Event ${event} did not reach ${path}.`);
    for (const event of arrived.keys())
      if (!owed.has(event)) violations.add('Only stored events reach an endpoint', `Event ${event} reached ${path}.`);
    repeats += checkRepeats(evidence, `Event at ${path}`, arrived.values(), failed);
  }
  const open = await db.rows<{ id: Buffer; attempts: number; error: string | null }>(
    `SELECT chain_id AS id, COUNT(*) AS attempts, MAX(error) AS error FROM developers_delivery
     GROUP BY chain_id HAVING SUM(status = 'delivered') <> 1 LIMIT 100`,
  );
  violations.add(
    'A delivery that was accepted is recorded as delivered, once',
    ...open.map(({ id, attempts: made, error }) => `${idText(id)} has ${made} attempts: ${error ?? ''}`),
  );
  return repeats;
}
