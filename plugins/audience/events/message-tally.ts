import { formats } from '#core/kernel/schema/formats.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { EventConsumer } from '#core/kernel/events/fan-out.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** What of an `email.sent` event's message counts here; email is another product, so its news is read as what it says. */
interface SentMail {
  environmentId: string;
  keys: string[];
  at: Date;
}

/** Addresses of one statement. A batch of events nearly always has fewer. */
const most = 1_000;

/**
 * Notes when each contact was last sent mail: segments ask for it (`message.email.lastSentAt`). Mail that the service sends on the
 * project's behalf - codes, invitations - is none of the project's messages, and is not counted.
 */
export const messageTally: EventConsumer = async (events, { db }) => {
  const sent = events.filter(({ type }) => type === 'email.sent');
  if (sent.length === 0) return;
  const rows = await db.rows<{ environment_id: Buffer; data: string }>(
    'SELECT environment_id, data FROM svc_event WHERE id IN (?)',
    [sent.map(({ id }) => idBytes(id))],
  );
  const latest = new Map<string, [Buffer, Buffer, Date]>();
  for (const mail of rows.flatMap(({ environment_id, data }) => sentMail(idText(environment_id), JSON.parse(data)))) {
    for (const key of mail.keys) {
      const place = `${mail.environmentId} ${key}`;
      const known = latest.get(place)?.[2];
      if (!known || known < mail.at) latest.set(place, [idBytes(mail.environmentId), Buffer.from(key), mail.at]);
    }
  }
  const noted = [...latest.values()];
  for (let from = 0; from < noted.length; from += most) await note(db, noted.slice(from, from + most));
};

/** One statement for all: the addresses that are contacts', in the order of their ids, so that two nodes do not wait in a ring. */
async function note(db: Session, noted: readonly [Buffer, Buffer, Date][]): Promise<void> {
  await db.run(
    `INSERT INTO audience_message_tally (contact_id, channel, environment_id, last_sent_at)
     SELECT c.id, 'email', c.environment_id, s.at
     FROM (${noted.map(() => 'SELECT ? AS environment_id, ? AS address_key, CAST(? AS DATETIME(3)) AS at').join(' UNION ALL ')}) s
     JOIN audience_contact c ON c.environment_id = s.environment_id AND c.email_key = s.address_key
     ORDER BY c.id
     ON DUPLICATE KEY UPDATE last_sent_at = GREATEST(last_sent_at, VALUES(last_sent_at))`,
    noted.flat(),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

function sentMail(environmentId: string, data: unknown): SentMail[] {
  const message = isRecord(data) ? data['message'] : undefined;
  if (!isRecord(message) || message['system'] === true) return [];
  const at = message['sentAt'];
  if (typeof at !== 'string' || formats['date-time']?.(at) !== true) return [];
  const all = ['to', 'cc', 'bcc'].flatMap((field) => textsOf(message[field])).map(mailboxKey);
  const left = new Set(textsOf(message['suppressedRecipients']).map(mailboxKey));
  return [{ environmentId, keys: all.filter((key) => !left.has(key)), at: new Date(at) }];
}
