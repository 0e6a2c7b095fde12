import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import type { ReceivedMail } from '#test/support/smtp-receiver.js';
import { readAnswer, textAt } from './call.js';
import { verified } from './receiver.js';
import type { Endpoint, Stage } from './stage.js';
import type { Write } from './workload.js';

/** All accepted writes so far, and, for each fault, the ids of what was in flight. */
export interface History {
  writes: Write[];
  faults: ReadonlySet<string>[];
}

const eventOf = {
  'developers.key.create': 'developers.key.created',
  'email.send': 'email.queued',
  'email.template.draft.save': 'email.template.draft_saved',
} as const;

/**
 * How often a delivery or message may have been sent: once, and once more for each fault during which it was in flight.
 */
const allowed = ({ faults }: History, id: string): number => 1 + faults.filter((held) => held.has(id)).length;

/** Counts how often each text occurs. */
function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/**
 * Expects exactly one audit record, one row and one of each event for every accepted write, and no others; for a mail,
 * also that it was sent.
 */
export async function expectOneOfEach({ db, ownActivities }: Stage, { writes }: History): Promise<void> {
  const accepted = writes.map((write) => ({ write, ...readAnswer(write.answer ?? '') }));
  const activities = await db.rows<{ id: Buffer }>(
    "SELECT id FROM svc_activity WHERE operation NOT IN ('account.signup', 'account.project.create')",
  );
  expect(activities.map(({ id }) => idText(id)).sort(), 'audit records').to.deep.equal(
    [...ownActivities, ...accepted.map(({ activityId }) => activityId)].sort(),
  );
  const events = await db.rows<{ type: Buffer; activity_id: Buffer }>(
    "SELECT type, activity_id FROM svc_event WHERE activity_id IS NOT NULL AND type <> 'account.created'",
  );
  const written = events.map(({ type, activity_id }) => `${idText(activity_id)} ${type.toString()}`);
  const own = new Set(ownActivities);
  expect(written.filter((line) => !own.has(line.slice(0, 36))).sort(), 'events').to.deep.equal(
    accepted
      .flatMap(({ write, activityId }) => {
        const type = eventOf[write.operation];
        return [type, ...(type === 'email.queued' ? ['email.sent'] : [])].map((each) => `${activityId} ${each}`);
      })
      .sort(),
  );
  const rows = await db.rows<{ label: string }>(
    "SELECT name AS label FROM developers_key WHERE name LIKE 'W %' UNION ALL SELECT subject FROM email_message WHERE subject LIKE 'W %'",
  );
  expect(rows.map(({ label }) => label).sort(), 'keys and messages').to.deep.equal(
    writes.flatMap(({ input }) => [input['subject'] ?? (input['permissions'] && input['name']) ?? []].flat()).sort(),
  );
}

const wants = ({ eventTypes }: Endpoint, type: string): boolean =>
  eventTypes.length === 0 ||
  eventTypes.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));

/**
 * Expects that every event committed since an endpoint was created reached it, once except for what was in flight at a
 * fault.
 */
export async function expectDelivered(stage: Stage, history: History): Promise<number> {
  const rows = await stage.db.rows<{ id: Buffer; type: Buffer; subject_id: Buffer }>(
    'SELECT id, type, subject_id FROM svc_event ORDER BY id',
  );
  const events = rows.map((row) => ({
    id: idText(row.id),
    type: row.type.toString(),
    subject: row.subject_id.toString(),
  }));
  let repeats = 0;
  for (const endpoint of stage.endpoints) {
    const since = events.findIndex(
      ({ type, subject }) => type === 'developers.webhook.created' && subject === endpoint.id,
    );
    const owed = events.slice(since).filter(({ type }) => wants(endpoint, type));
    const receipts = stage.webhooks.of(endpoint.path);
    for (const receipt of receipts) verified(receipt, endpoint.secret);
    expect([...new Set(receipts.map(({ eventId }) => eventId))].sort(), `events at ${endpoint.path}`).to.deep.equal(
      owed.map(({ id }) => id).sort(),
    );
    const perDelivery = tally(receipts.map(({ deliveryId }) => deliveryId));
    expect(perDelivery.size, `deliveries at ${endpoint.path}`).to.equal(owed.length);
    for (const [id, times] of perDelivery) expect(times, `delivery ${id}`).to.be.at.most(allowed(history, id));
    repeats += receipts.length - owed.length;
  }
  return repeats;
}

/** Expects one row per attempt, numbered from 1, one chain for each event and endpoint, and every chain delivered. */
export async function expectChains({ db }: Stage): Promise<void> {
  const broken = await db.rows(
    `SELECT HEX(chain_id) AS chain, COUNT(*) AS attempts, MAX(attempt) AS last FROM developers_delivery GROUP BY chain_id
     HAVING COUNT(*) <> MAX(attempt) OR MIN(attempt) <> 1 OR COUNT(DISTINCT attempt) <> COUNT(*)`,
  );
  expect(broken, 'chains with gaps or repeats').to.deep.equal([]);
  const twice = await db.rows(
    `SELECT HEX(event_id) AS event, HEX(endpoint_id) AS endpoint FROM developers_delivery GROUP BY event_id, endpoint_id
     HAVING COUNT(DISTINCT chain_id) <> 1`,
  );
  expect(twice, 'events with several chains at one endpoint').to.deep.equal([]);
  const open = await db.rows(
    "SELECT HEX(id) AS id, status, error FROM developers_delivery WHERE status <> 'delivered'",
  );
  expect(open, 'attempts that were not delivered').to.deep.equal([]);
}

/**
 * Expects that every accepted message was sent, once except for what was in flight at a fault, and that repeats are the
 * same mail.
 */
export async function expectMail({ db, mail }: Stage, history: History): Promise<number> {
  const sends = history.writes.filter(({ operation }) => operation === 'email.send');
  const byLabel = new Map<string, ReceivedMail[]>();
  for (const each of mail.received) {
    const subject = each.parsed.subject ?? '';
    byLabel.set(subject, [...(byLabel.get(subject) ?? []), each]);
  }
  expect([...byLabel.keys()].sort(), 'mail').to.deep.equal(sends.map(({ input }) => textAt(input, 'subject')).sort());
  for (const { input, answer } of sends) {
    const id = textAt(readAnswer(answer ?? '').result, 'messageId');
    const mails = byLabel.get(textAt(input, 'subject')) ?? [];
    expect(mails.length, `mail ${id}`).to.be.at.most(allowed(history, id));
    expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size, `Message-ID of ${id}`).to.equal(1);
  }
  const rows = await db.rows(
    `SELECT (SELECT COUNT(*) FROM email_message WHERE status = 'sent') AS sent,
       (SELECT COUNT(DISTINCT subject_id) FROM svc_event WHERE type = 'email.sent') AS distinctly,
       (SELECT COUNT(*) FROM svc_event WHERE type = 'email.sent') AS news`,
  );
  expect(rows[0], 'sent messages and their events').to.deep.equal({
    sent: sends.length,
    distinctly: sends.length,
    news: sends.length,
  });
  return mail.received.length - sends.length;
}
