import type { Environment } from '#core/kernel/caller/caller.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { TestPlatform } from '#test/support/platform.js';

/** The current consent of a contact to one topic on one channel. */
interface StoredConsent {
  contactId: string;
  channel: string;
  topic: string;
  state: string;
  since: string;
  recordId: string;
}

interface RecordColumns {
  id: Buffer;
  contact_id: Buffer;
  channel: Buffer;
  topic: Buffer;
  ordinal: number;
  state: Buffer;
  effective: number;
  given_at: Date;
}

const sorted = (states: Iterable<StoredConsent>): StoredConsent[] =>
  [...states].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** The stored consent states. */
export async function storedState(platform: TestPlatform, { id }: Environment): Promise<StoredConsent[]> {
  const rows = await platform.running.services.database.rows<{
    contact_id: Buffer;
    channel: Buffer;
    topic: Buffer;
    state: Buffer;
    since: Date;
    record_id: Buffer;
  }>('SELECT contact_id, channel, topic, state, since, record_id FROM audience_consent WHERE environment_id = ?', [
    idBytes(id),
  ]);
  return sorted(
    rows.map((row) => ({
      contactId: idText(row.contact_id),
      channel: row.channel.toString(),
      topic: row.topic.toString(),
      state: row.state.toString(),
      since: row.since.toISOString(),
      recordId: idText(row.record_id),
    })),
  );
}

/**
 * Computes the consent state from the records alone, by the rule of docs/decisions/0011-consent.md and without the
 * product's code: a revocation counts at once, a grant only when it was given after the last revocation. For people who
 * were neither erased nor suppressed.
 * @throws Error if a record's ordinal is missing, or its `effective` differs
 */
export async function rebuiltState(platform: TestPlatform, { id }: Environment): Promise<StoredConsent[]> {
  const records = await platform.running.services.database.rows<RecordColumns>(
    `SELECT id, contact_id, channel, topic, ordinal, state, effective, given_at FROM audience_consent_record
     WHERE environment_id = ? ORDER BY contact_id, channel, topic, ordinal`,
    [idBytes(id)],
  );
  const states = new Map<string, StoredConsent>();
  const ordinals = new Map<string, number>();
  const lastOptOut = new Map<string, string>();
  for (const record of records) {
    const contactId = idText(record.contact_id);
    const [channel, topic, state] = [record.channel.toString(), record.topic.toString(), record.state.toString()];
    const place = `${contactId} ${channel} ${topic}`;
    const expected = (ordinals.get(place) ?? 0) + 1;
    if (record.ordinal !== expected) throw new Error(`${place} has record ${record.ordinal}, expected ${expected}.`);
    ordinals.set(place, expected);
    const before = states.get(place);
    const since = record.given_at.toISOString();
    const counts = before?.state !== state && (state === 'revoked' || since > (lastOptOut.get(place) ?? ''));
    if (state === 'revoked') lastOptOut.set(place, since);
    if (counts !== (record.effective === 1))
      throw new Error(`${place}: record ${expected} has the wrong value of effective.`);
    if (counts) states.set(place, { contactId, channel, topic, state, since, recordId: idText(record.id) });
  }
  return sorted(states.values());
}

/** The number of consent records; of effective or ineffective ones only when `effective` is given. */
export async function recordCount(platform: TestPlatform, { id }: Environment, effective?: boolean): Promise<number> {
  const [row] = await platform.running.services.database.rows<{ found: number }>(
    `SELECT COUNT(*) AS found FROM audience_consent_record WHERE environment_id = ?${effective === undefined ? '' : ` AND effective = ${effective ? 1 : 0}`}`,
    [idBytes(id)],
  );
  return row?.found ?? 0;
}
