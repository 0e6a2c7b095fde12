import type { ValueOf } from '#core/kernel/schema/schema.js';
import { beforeId, cutPage } from '#core/kernel/schema/paging.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
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
  const query = db
    .select(consentRecords, 'record')
    .where('record.environment_id = :environment', { environment: idBytes(environmentId) });
  const filterBy = (sql: string, name: string, value: SqlValue): void => void query.andWhere(sql, { [name]: value });
  if (contactId !== undefined) filterBy('record.contact_id = :contact', 'contact', idBytes(contactId));
  if (topic !== undefined) filterBy('record.topic = :topic', 'topic', Buffer.from(topic));
  if (channel !== undefined) filterBy('record.channel = :channel', 'channel', Buffer.from(channel));
  if (before !== undefined) filterBy('record.id < :before', 'before', beforeId(before));
  const found = await query
    .orderBy('record.id', 'DESC')
    .limit(limit + 1)
    .getMany();
  const { rows, next } = cutPage(found, limit);
  return { consents: await presentWithOrigins(db, rows), next };
}
