import { formats } from '#core/kernel/schema/formats.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { EventConsumer } from '#core/kernel/events/consumer.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import type { Channel } from '../ports.js';
import { bytesLiteral, idList, timeLiteral } from '#core/runtime/database/literal.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { isRecord } from '#core/runtime/json.js';

/**
 * The recipients of a sent message. The email product is separate, so the payload of its event is parsed, not trusted.
 */
interface SentMail {
  environmentId: string;
  addressKeys: string[];
  at: Date;
}

/** An address and the time at which it was last sent mail. */
type LastSent = readonly [environmentId: Buffer, addressKey: Buffer, at: Date];

/** Addresses per statement. A batch of events nearly always has fewer. */
const maxAddresses = 1_000;

/**
 * Consumes `email.sent` and stores when each contact was last sent mail, which segments use
 * (`message.email.lastSentAt`). System messages, such as codes and invitations, do not count.
 */
export const messageTally: EventConsumer = {
  name: 'audience.message-tally',
  types: ['email.sent'],
  async handle(events, { db }) {
    const rows = await db.rows<{ environment_id: Buffer; data: string }>(
      'SELECT environment_id, data FROM svc_event WHERE id IN (?)',
      [idList(events.map(({ id }) => id))],
    );
    const latest = new Map<string, LastSent>();
    for (const mail of rows.flatMap(({ environment_id, data }) =>
      parseSent(idText(environment_id), JSON.parse(data)),
    )) {
      for (const key of mail.addressKeys) {
        const addressId = `${mail.environmentId} ${key}`;
        const known = latest.get(addressId)?.[2];
        if (!known || known < mail.at) latest.set(addressId, [idBytes(mail.environmentId), Buffer.from(key), mail.at]);
      }
    }
    const all = [...latest.values()];
    for (let from = 0; from < all.length; from += maxAddresses) await store(db, all.slice(from, from + maxAddresses));
  },
};

/** Updates the contacts that have these addresses, in the order of their ids, so that two nodes cannot deadlock. */
async function store(db: Session, sent: readonly LastSent[]): Promise<void> {
  const text = sent
    .map(
      ([environmentId, key, at]) =>
        `SELECT ${bytesLiteral(environmentId)} AS environment_id, ${bytesLiteral(key)} AS address_key, CAST(${timeLiteral(at)} AS DATETIME(3)) AS at`,
    )
    .join(' UNION ALL ');
  await db.run(
    `INSERT INTO audience_message_tally (contact_id, channel, environment_id, last_sent_at)
     SELECT c.id, 'email', c.environment_id, s.at
     FROM (?) s
     JOIN audience_contact c ON c.environment_id = s.environment_id AND c.email_key = s.address_key
     ORDER BY c.id
     ON DUPLICATE KEY UPDATE last_sent_at = GREATEST(last_sent_at, VALUES(last_sent_at))`,
    [{ toSqlString: () => text }],
  );
}

/**
 * Stores when contacts were last sent mail, for messages of one environment that are recorded together (Recipients).
 * @param contacts SELECT of their ids, `contact_id`
 * @returns the consumers whose work this was
 */
export async function noteSent(
  db: Session,
  environmentId: string,
  channel: Channel,
  at: Date,
  contacts: Statement,
): Promise<readonly string[]> {
  if (channel !== 'email') return [];
  await db.defer({
    sql: `INSERT INTO audience_message_tally (contact_id, channel, environment_id, last_sent_at)
      SELECT c.id, 'email', c.environment_id, ? FROM (${contacts.sql}) sent
      STRAIGHT_JOIN audience_contact c ON c.id = sent.contact_id AND c.environment_id = ?
      ORDER BY c.id
      ON DUPLICATE KEY UPDATE last_sent_at = GREATEST(last_sent_at, VALUES(last_sent_at))`,
    parameters: [at, ...contacts.parameters, idBytes(environmentId)],
  });
  return [messageTally.name];
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

function parseSent(environmentId: string, data: unknown): SentMail[] {
  const message = isRecord(data) ? data['message'] : undefined;
  if (!isRecord(message) || message['system'] === true) return [];
  const at = message['sentAt'];
  if (typeof at !== 'string' || formats['date-time']?.(at) !== true) return [];
  const addressed = ['to', 'cc', 'bcc'].flatMap((field) => textsOf(message[field])).map(mailboxKey);
  const left = [message['suppressedRecipients'], isRecord(data) ? data['failedRecipients'] : undefined];
  const unsent = new Set(left.flatMap(textsOf).map(mailboxKey));
  return [{ environmentId, addressKeys: addressed.filter((key) => !unsent.has(key)), at: new Date(at) }];
}
