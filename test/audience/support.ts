import type { Environment } from '#core/kernel/caller/caller.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Api, InputOf, ReplyOf } from '#test/support/api.js';
import type { TestPlatform } from '#test/support/platform.js';

/** Creates a topic, with the key `news` by default. */
export async function topicOf(
  svc: Api,
  facts: Partial<InputOf<'audience.topic.create'>> = {},
): Promise<ReplyOf<'audience.topic.create'>['topic']> {
  return (await svc.call('audience.topic.create', { key: 'news', name: 'Newsletter', ...facts })).topic;
}

/** Creates or updates a contact, with the address ada@example.com by default. */
export async function contactOf(
  svc: Api,
  facts: InputOf<'audience.contact.upsert'> = { email: 'ada@example.com' },
): Promise<ReplyOf<'audience.contact.upsert'>['contact']> {
  return (await svc.call('audience.contact.upsert', facts)).contact;
}

export interface AuditRecord {
  operation: string;
  subject: string;
  personId: string | null;
  summary: string;
  changes: unknown;
}

/** The audit record of a call. Erasing the person `personId` erases it. */
export async function auditOf(platform: TestPlatform, activityId: string): Promise<AuditRecord> {
  const [row] = await platform.running.services.database.rows<{
    operation: Buffer;
    subject_type: Buffer;
    subject_id: Buffer;
    person_id: Buffer | null;
    summary: string;
    changes: string;
  }>('SELECT operation, subject_type, subject_id, person_id, summary, changes FROM svc_activity WHERE id = ?', [
    idBytes(activityId),
  ]);
  if (!row) throw new Error(`There is no audit record ${activityId}.`);
  return {
    operation: row.operation.toString(),
    subject: `${row.subject_type.toString()} ${row.subject_id.toString()}`,
    personId: row.person_id && idText(row.person_id),
    summary: row.summary,
    changes: JSON.parse(row.changes),
  };
}

export interface EventRow {
  type: string;
  subjectId: string;
  personId: string | null;
  activityId: string | null;
  data: unknown;
}

/** An environment's events whose type starts with `prefix`, oldest first. */
export async function eventsOf(platform: TestPlatform, environment: Environment, prefix: string): Promise<EventRow[]> {
  const rows = await platform.running.services.database.rows<{
    type: Buffer;
    subject_id: Buffer;
    person_id: Buffer | null;
    activity_id: Buffer | null;
    data: string;
  }>(
    'SELECT type, subject_id, person_id, activity_id, data FROM svc_event WHERE environment_id = ? AND type LIKE ? ORDER BY id',
    [idBytes(environment.id), `${prefix}%`],
  );
  return rows.map((row) => {
    const data: unknown = JSON.parse(row.data);
    return {
      type: row.type.toString(),
      subjectId: row.subject_id.toString(),
      personId: row.person_id && idText(row.person_id),
      activityId: row.activity_id && idText(row.activity_id),
      data,
    };
  });
}

/** How many audit records of an operation an environment has. */
export async function auditCount(platform: TestPlatform, environment: Environment, operation: string): Promise<number> {
  const [row] = await platform.running.services.database.rows<{ found: number }>(
    'SELECT COUNT(*) AS found FROM svc_activity WHERE environment_id = ? AND operation = ?',
    [idBytes(environment.id), Buffer.from(operation)],
  );
  return row?.found ?? 0;
}

/** Runs the same work concurrently: by default twenty times, more than one node's connection pool serves at once. */
export const concurrently = <R>(work: (index: number) => Promise<R>, count = 20): Promise<R[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
