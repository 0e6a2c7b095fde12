import type { ValueOf } from '#core/kernel/schema/schema.js';
import { paged, type NextIds } from '#core/kernel/schema/paging.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';
import type { Consent } from '../resources.js';
import { consentRecords, type ConsentRecordRow } from '../tables/consent.js';
import { presentConsent, type ConsentValue } from './present.js';

/** The current consents of a contact, granted and revoked. */
export async function currentConsents(db: Session, contactId: string): Promise<ValueOf<typeof Consent>[]> {
  const rows = await db.rows<{ topic: Buffer; channel: Buffer; state: Buffer; since: Date; source: string }>(
    `SELECT k.topic, k.channel, k.state, k.since, r.source
     FROM audience_consent k JOIN audience_consent_record r ON r.id = k.record_id
     WHERE k.contact_id = ? ORDER BY k.channel, k.topic`,
    [idBytes(contactId)],
  );
  return rows.map(({ topic, channel, state, since, source }) => ({
    topic: topic.toString(),
    channel: channel.toString() === 'sms' ? 'sms' : 'email',
    state: state.toString() === 'granted' ? 'granted' : 'revoked',
    since: since.toISOString(),
    source,
  }));
}

/** Presents consent records with their IP addresses, in the order of `rows`. */
async function presentWithOrigins(db: Session, rows: readonly ConsentRecordRow[]): Promise<ConsentValue[]> {
  if (rows.length === 0) return [];
  const origins = await db.rows<{ record_id: Buffer; ip: string }>(
    'SELECT record_id, ip FROM audience_consent_origin WHERE record_id IN (?)',
    [rows.map(({ id }) => idBytes(id))],
  );
  const ipOf = new Map(origins.map(({ record_id, ip }) => [idText(record_id), ip]));
  return rows.map((row) => presentConsent(row, ipOf.get(row.id) ?? null));
}

/** Consent records by their ids, in any order. */
export async function consentsById(db: Session, ids: readonly string[]): Promise<ConsentValue[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(consentRecords, 'record')
    .where('record.id IN (:...ids)', { ids: ids.map(idBytes) })
    .getMany();
  return presentWithOrigins(db, rows);
}

export interface ConsentFilter {
  contactId?: string | undefined;
  topic?: string | undefined;
  channel?: Channel | undefined;
}

/** One page of an environment's consent records, newest first. */
export async function consentPage(
  db: Session,
  environmentId: string,
  { contactId, topic, channel }: ConsentFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ consents: ConsentValue[]; next: string | null }> {
  const own = { environment: idBytes(environmentId) };
  const query = db.select(consentRecords, 'record').where('record.environment_id = :environment', own);
  const byTopic = { ...own, topic: Buffer.from(topic ?? '') };
  if (topic !== undefined && contactId === undefined)
    query.where('record.environment_id = :environment AND record.topic = :topic', byTopic);
  if (topic !== undefined && contactId !== undefined) query.andWhere('record.topic = :topic', byTopic);
  if (channel !== undefined) query.andWhere('record.channel = :channel', { channel: Buffer.from(channel) });
  const index = topic === undefined ? 'environment' : 'topic';
  const along = contactId === undefined ? index : recordsOf(db, contactId);
  const { rows, next } = await paged(query, 'record', along, { before, limit });
  return { consents: await presentWithOrigins(db, rows), next };
}

/** The records of one contact, which has only a few: the index has them by channel and topic. */
const recordsOf =
  (db: Session, contactId: string): NextIds =>
  async (before, count) => {
    const rows = await db.rows<{ id: Buffer }>(
      `SELECT id FROM audience_consent_record FORCE INDEX (contact)
       WHERE contact_id = ? ${before ? 'AND id < ?' : ''} ORDER BY id DESC LIMIT ?`,
      [idBytes(contactId), ...(before ? [before] : []), count],
    );
    return rows.map(({ id }) => id);
  };
