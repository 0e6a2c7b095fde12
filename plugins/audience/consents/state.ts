import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { channels, suppressionReasons, type Channel, type SuppressionReason } from '../ports.js';
import type { ConsentState } from '../tables/consent.js';
import type { ContactRow } from '../tables/contact.js';

/** Reasons that are the person's own wish, and so theirs alone to undo. */
export const personsReasons: readonly SuppressionReason[] = suppressionReasons.filter(
  (reason) => reason !== 'bounce' && reason !== 'manual',
);
export const isPersonsWish = (reason: SuppressionReason): boolean => personsReasons.includes(reason);

/** Where a contact stands under one topic of one channel. */
export interface Standing {
  state: ConsentState;
  since: Date;
  recordId: string;
}

/** What a new record is weighed against. */
export interface History {
  standing(contactId: string, channel: Channel, topic: string): Standing | undefined;
  /** When the contact last said no, also while it had said so before. */
  saidNoAt(contactId: string, channel: Channel, topic: string): Date | undefined;
  /** How many records there are. */
  ordinal(contactId: string, channel: Channel, topic: string): number;
  /**
   * Until when the person had said no: an opt-out of the same address from before its contact was erased, or had another address, or a
   * suppression that they asked for, for as long as it stands. A grant given before that changes nothing.
   */
  optedOutUntil(contact: Addressed, channel: Channel, topic: string): Date | undefined;
}

/** A contact as consent knows it: the digests are what outlives it. */
export type Addressed = Pick<ContactRow, 'id' | 'environmentId' | 'emailDigest' | 'phoneDigest'>;

export const digestOf = (contact: Addressed, channel: Channel): Buffer | null =>
  channel === 'email' ? contact.emailDigest : contact.phoneDigest;

interface PastColumns {
  contact_id: Buffer;
  channel: Buffer;
  topic: Buffer;
  ordinal: number;
  no_at: Date | null;
  state: Buffer | null;
  since: Date | null;
  record_id: Buffer | null;
}

interface OptOutColumns {
  digest: Buffer;
  /** Null for every topic. */
  topic: Buffer | null;
  since: Date;
}

const keyOf = (...parts: readonly string[]): string => parts.join(' ');
const later = (a: Date | undefined, b: Date | undefined): Date | undefined => (a && b ? (a > b ? a : b) : (a ?? b));

/**
 * The history of some contacts of one environment, whose rows the caller has locked.
 * @param fresh ids of contacts that this transaction has made: nothing of theirs is asked for but their addresses' past
 */
export async function historyOf(
  db: Session,
  contacts: readonly Addressed[],
  fresh: ReadonlySet<string>,
): Promise<History> {
  const past = await pastOf(
    db,
    contacts.filter(({ id }) => !fresh.has(id)).map(({ id }) => id),
  );
  const optedOut = await optOutsOf(db, contacts);
  const at = (contactId: string, channel: Channel, topic: string): PastColumns | undefined =>
    past.get(keyOf(contactId, channel, topic));
  return {
    standing(contactId, channel, topic) {
      const { state, since, record_id } = at(contactId, channel, topic) ?? {};
      if (!state || !since || !record_id) return undefined;
      return { state: state.toString() === 'granted' ? 'granted' : 'revoked', since, recordId: idText(record_id) };
    },
    saidNoAt: (contactId, channel, topic) => at(contactId, channel, topic)?.no_at ?? undefined,
    ordinal: (contactId, channel, topic) => at(contactId, channel, topic)?.ordinal ?? 0,
    optedOutUntil(contact, channel, topic) {
      const digest = digestOf(contact, channel)?.toString('hex') ?? '';
      return later(optedOut.get(keyOf(digest, topic)), optedOut.get(keyOf(digest, '')));
    },
  };
}

async function pastOf(db: Session, contactIds: readonly string[]): Promise<Map<string, PastColumns>> {
  if (contactIds.length === 0) return new Map();
  const rows = await db.rows<PastColumns>(
    `SELECT r.contact_id, r.channel, r.topic, r.ordinal, r.no_at, k.state, k.since, k.record_id
     FROM (SELECT contact_id, channel, topic, MAX(ordinal) AS ordinal, MAX(CASE WHEN state = 'revoked' THEN given_at END) AS no_at FROM audience_consent_record
           WHERE contact_id IN (?) GROUP BY contact_id, channel, topic) r
     LEFT JOIN audience_consent k ON k.contact_id = r.contact_id AND k.channel = r.channel AND k.topic = r.topic`,
    [contactIds.map(idBytes)],
  );
  return new Map(rows.map((row) => [keyOf(idText(row.contact_id), row.channel.toString(), row.topic.toString()), row]));
}

/** When each address last said no, by digest and topic; digests of email and sms never meet, their channel is in them. */
async function optOutsOf(db: Session, contacts: readonly Addressed[]): Promise<Map<string, Date>> {
  const digests = contacts.flatMap((each) => channels.flatMap((channel) => digestOf(each, channel) ?? []));
  const [first] = contacts;
  if (!first || digests.length === 0) return new Map();
  const environment = idBytes(first.environmentId);
  // A wish that stands, stands against every grant on the person's behalf. What was said at an address holds there, also once the contact
  // has another one or is erased.
  const rows = await db.rows<OptOutColumns>(
    `SELECT address_digest AS digest, NULL AS topic, CAST('9999-12-31' AS DATETIME(3)) AS since FROM audience_suppression
     WHERE environment_id = ? AND channel IN (?) AND address_digest IN (?) AND reason IN (?) AND standing = 1
     UNION ALL
     SELECT f.address_digest AS digest, k.topic, (SELECT MAX(r.given_at) FROM audience_consent_record r
       WHERE r.contact_id = k.contact_id AND r.channel = k.channel AND r.topic = k.topic AND r.state = 'revoked') AS since
     FROM audience_former_address f
     JOIN audience_consent k ON k.contact_id = f.contact_id AND k.channel = f.channel AND k.state = 'revoked'
     WHERE f.environment_id = ? AND f.address_digest IN (?)`,
    [
      ...[
        environment,
        channels.map((each) => Buffer.from(each)),
        digests,
        personsReasons.map((each) => Buffer.from(each)),
      ],
      ...[environment, digests],
    ],
  );
  const latest = new Map<string, Date>();
  for (const { digest, topic, since } of rows) {
    const key = keyOf(digest.toString('hex'), topic?.toString() ?? '');
    latest.set(key, later(latest.get(key), since) ?? since);
  }
  return latest;
}
