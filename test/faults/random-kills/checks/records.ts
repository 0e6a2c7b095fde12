import { idText } from '#core/runtime/id.js';
import { acceptedOf, answered, type Evidence } from './check.js';

/** One audit record for each accepted write, and none for anything else. */
export async function checkRecords({ db, journal, violations }: Evidence): Promise<void> {
  const accepted = [...journal.entries.values()].filter(
    ({ answer, operation }) => answer?.accepted === true && !operation.startsWith('callback.'),
  );
  const operations = [...new Set(accepted.map(({ operation }) => operation))];
  if (operations.length === 0) return;
  const rows = await db.rows<{ id: Buffer; operation: Buffer; actor_kind: Buffer }>(
    "SELECT id, operation, actor_kind FROM svc_activity WHERE operation IN (?) AND actor_kind <> 'system'",
    [operations.map((each) => Buffer.from(each))],
  );
  const stored = new Map(rows.map((row) => [idText(row.id), row.operation.toString()]));
  const promise = 'Each accepted write has one audit record';
  const answers = new Set<string>();
  for (const entry of accepted) {
    const id = answered(entry, 'activityId');
    if (answers.has(id)) violations.add(promise, `${entry.key} was answered with the record ${id} of another call.`);
    answers.add(id);
    if (stored.get(id) !== entry.operation)
      violations.add(promise, `${entry.operation} ${entry.key} has no record ${id}.`);
  }
  for (const [id, operation] of stored)
    if (!answers.has(id)) violations.add(promise, `${operation} has a record ${id} that no call was answered with.`);
}

/** One event of each kind for each accepted message. */
export async function checkMessageEvents({ db, journal, violations, environment }: Evidence): Promise<void> {
  for (const channel of ['email', 'sms'] as const) {
    const sends = acceptedOf(journal, `${channel}.send`).flatMap((entry) =>
      answered(entry, 'result', 'status') === 'queued' ? answered(entry, 'result', 'messageId') : [],
    );
    for (const [type, status] of [
      ['queued', undefined],
      ['sent', 'sent'],
      ['cancelled', 'cancelled'],
    ] as const) {
      const rows = await db.rows<{ subject: Buffer; found: number }>(
        'SELECT subject_id AS subject, COUNT(*) AS found FROM svc_event WHERE environment_id = ? AND type = ? GROUP BY subject_id',
        [environment, Buffer.from(`${channel}.${type}`)],
      );
      const events = new Map(rows.map(({ subject, found }) => [subject.toString(), found]));
      const stored = await db.rows<{ id: Buffer }>(
        `SELECT id FROM ${channel}_message WHERE status = COALESCE(?, status)`,
        [status === undefined ? null : Buffer.from(status)],
      );
      const expected = new Set(stored.map(({ id }) => idText(id)));
      for (const id of sends)
        if ((events.get(id) ?? 0) !== (expected.has(id) ? 1 : 0))
          violations.add(
            'Each message has one event of a kind',
            `${id} has ${events.get(id) ?? 0} events ${channel}.${type}.`,
          );
    }
  }
}
