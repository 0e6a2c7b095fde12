import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { channels } from '../channels.js';
import type { Channel } from '../ports.js';
import { personalReasons } from '../tables/suppression-reasons.js';
import type { ConsentState } from '../tables/consent.js';
import type { ContactRow } from '../tables/contact.js';

/** The current consent of a contact to a topic on a channel. */
export interface CurrentConsent {
  state: ConsentState;
  since: Date;
  recordId: string;
}

/** What earlier records and suppressions state about a group of contacts. */
export interface ConsentHistory {
  current(contactId: string, channel: Channel, topic: string): CurrentConsent | undefined;
  /** When the contact last opted out, including opt-outs that changed nothing. */
  lastOptOut(contactId: string, channel: Channel, topic: string): Date | undefined;
  /** How many records there are. */
  recordCount(contactId: string, channel: Channel, topic: string): number;
  /**
   * The time before which grants on the person's behalf change nothing, because the address opted out: through a
   * contact that was erased or had the address before, or by an active suppression that the person requested.
   */
  addressOptedOutUntil(contact: ContactAddresses, channel: Channel, topic: string): Date | undefined;
}

/** The fields of a contact that consent depends on. The digests outlive the contact. */
export type ContactAddresses = Pick<ContactRow, 'id' | 'environmentId' | 'emailDigest' | 'phoneDigest'>;

export const digestOf = (contact: ContactAddresses, channel: Channel): Buffer | null =>
  channel === 'email' ? contact.emailDigest : contact.phoneDigest;

interface PastColumns {
  contact_id: Buffer;
  channel: Buffer;
  topic: Buffer;
  record_count: number;
  last_opt_out: Date | null;
  state: Buffer | null;
  since: Date | null;
  record_id: Buffer | null;
}

interface OptOutColumns {
  digest: Buffer;
  /** Null for every topic. */
  topic: Buffer | null;
  until: Date;
}

const keyOf = (...parts: readonly string[]): string => parts.join(' ');
const latest = (a: Date | undefined, b: Date | undefined): Date | undefined => (a && b ? (a > b ? a : b) : (a ?? b));

/**
 * Loads the history of contacts of one environment, which the caller has locked.
 * @param created ids of contacts created in this transaction, which have no records yet
 */
export async function loadHistory(
  db: Session,
  contacts: readonly ContactAddresses[],
  created: ReadonlySet<string>,
): Promise<ConsentHistory> {
  const existing = contacts.filter(({ id }) => !created.has(id)).map(({ id }) => id);
  const past = await loadPast(db, existing);
  const optOuts = await loadAddressOptOuts(db, contacts);
  const at = (contactId: string, channel: Channel, topic: string): PastColumns | undefined =>
    past.get(keyOf(contactId, channel, topic));
  return {
    current(contactId, channel, topic) {
      const { state, since, record_id } = at(contactId, channel, topic) ?? {};
      if (!state || !since || !record_id) return undefined;
      return { state: state.toString() === 'granted' ? 'granted' : 'revoked', since, recordId: idText(record_id) };
    },
    lastOptOut: (contactId, channel, topic) => at(contactId, channel, topic)?.last_opt_out ?? undefined,
    recordCount: (contactId, channel, topic) => at(contactId, channel, topic)?.record_count ?? 0,
    addressOptedOutUntil(contact, channel, topic) {
      const digest = digestOf(contact, channel)?.toString('hex') ?? '';
      return latest(optOuts.get(keyOf(digest, topic)), optOuts.get(keyOf(digest, '')));
    },
  };
}

async function loadPast(db: Session, contactIds: readonly string[]): Promise<Map<string, PastColumns>> {
  if (contactIds.length === 0) return new Map();
  const rows = await db.rows<PastColumns>(
    `SELECT r.contact_id, r.channel, r.topic, r.record_count, r.last_opt_out, k.state, k.since, k.record_id
     FROM (SELECT contact_id, channel, topic, MAX(ordinal) AS record_count,
             MAX(CASE WHEN state = 'revoked' THEN given_at END) AS last_opt_out
           FROM audience_consent_record WHERE contact_id IN (?) GROUP BY contact_id, channel, topic) r
     LEFT JOIN audience_consent k ON k.contact_id = r.contact_id AND k.channel = r.channel AND k.topic = r.topic`,
    [contactIds.map(idBytes)],
  );
  return new Map(rows.map((row) => [keyOf(idText(row.contact_id), row.channel.toString(), row.topic.toString()), row]));
}

/**
 * Opt-outs of contacts that had an address before, by its digest. They remain in force at the address after the contact
 * changed it or was erased.
 */
const selectFormerOptOuts = `SELECT f.address_digest AS digest, k.topic,
       (SELECT MAX(r.given_at) FROM audience_consent_record r
        WHERE r.contact_id = k.contact_id AND r.channel = k.channel AND r.topic = k.topic AND r.state = 'revoked') AS until
     FROM audience_former_address f
     JOIN audience_consent k ON k.contact_id = f.contact_id AND k.channel = f.channel AND k.state = 'revoked'
     WHERE f.environment_id = ? AND f.address_digest IN (?)`;

/** An opt-out of a contact that had the address before. */
export interface FormerOptOut {
  digest: Buffer;
  topic: string;
  until: Date;
}

/** The opt-outs of contacts that had one of these addresses before. */
export async function loadFormerOptOuts(
  db: Session,
  environmentId: string,
  digests: readonly Buffer[],
): Promise<FormerOptOut[]> {
  const rows = await db.rows<{ digest: Buffer; topic: Buffer; until: Date }>(selectFormerOptOuts, [
    idBytes(environmentId),
    digests,
  ]);
  return rows.map(({ digest, topic, until }) => ({ digest, topic: topic.toString(), until }));
}

/**
 * Until when each address has opted out, by digest and topic. A digest includes its channel, so digests of email and
 * sms never match.
 */
async function loadAddressOptOuts(db: Session, contacts: readonly ContactAddresses[]): Promise<Map<string, Date>> {
  const digests = contacts.flatMap((each) => channels.flatMap((channel) => digestOf(each, channel) ?? []));
  const [first] = contacts;
  if (!first || digests.length === 0) return new Map();
  const environmentId = idBytes(first.environmentId);
  // An active suppression that the person requested outweighs every grant.
  const rows = await db.rows<OptOutColumns>(
    `SELECT address_digest AS digest, NULL AS topic, CAST('9999-12-31' AS DATETIME(3)) AS until FROM audience_suppression
     WHERE environment_id = ? AND channel IN (?) AND address_digest IN (?) AND reason IN (?) AND active = 1
     UNION ALL
     ${selectFormerOptOuts}`,
    [
      environmentId,
      channels.map((each) => Buffer.from(each)),
      digests,
      personalReasons.map((each) => Buffer.from(each)),
      environmentId,
      digests,
    ],
  );
  const optOuts = new Map<string, Date>();
  for (const { digest, topic, until } of rows) {
    const key = keyOf(digest.toString('hex'), topic?.toString() ?? '');
    optOuts.set(key, latest(optOuts.get(key), until) ?? until);
  }
  return optOuts;
}
