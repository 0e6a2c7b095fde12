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
    repeats += checkRepeats(evidence, `Event at ${path}`, arrived.values());
  }
  const open = await db.rows<{ id: Buffer; status: Buffer; error: string | null }>(
    "SELECT id, status, error FROM developers_delivery WHERE status <> 'delivered' LIMIT 100",
  );
  violations.add(
    'A delivery that was accepted is recorded as delivered',
    ...open.map(({ id, status, error }) => `${idText(id)} is ${status.toString()}: ${error ?? ''}`),
  );
  return repeats;
}
