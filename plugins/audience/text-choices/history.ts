import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { consents } from '../tables/consent.js';
import { stopSource } from './sources.js';

/**
 * The topics on sms that a contact had granted when STOP revoked them, and that the person has not decided about since.
 * Topics that the person unsubscribed from before STOP, or on the preferences page after it, stay revoked.
 */
export async function takenByStop(db: Session, contactId: string): Promise<string[]> {
  const rows = await db.rows<{ topic: Buffer }>(
    `SELECT k.topic FROM audience_consent k JOIN audience_consent_record r ON r.id = k.record_id
     WHERE k.contact_id = ? AND k.channel = 'sms' AND k.state = 'revoked' AND r.source = ?
       AND (SELECT b.state FROM audience_consent_record b
            WHERE b.contact_id = k.contact_id AND b.channel = k.channel AND b.topic = k.topic
              AND b.effective = 1 AND b.ordinal < r.ordinal ORDER BY b.ordinal DESC LIMIT 1) = 'granted'
       AND NOT EXISTS (SELECT 1 FROM audience_consent_record l
            WHERE l.contact_id = k.contact_id AND l.channel = k.channel AND l.topic = k.topic
              AND l.ordinal > r.ordinal AND l.state = 'revoked')`,
    [idBytes(contactId), stopSource],
  );
  return rows.map(({ topic }) => topic.toString());
}

/** When a contact last decided about a topic on sms, in milliseconds since 1970; 0 for never. */
export async function lastDecision(db: Session, contactId: string): Promise<number> {
  const [row] = await db.rows<{ at: Date | null }>(
    "SELECT MAX(given_at) AS at FROM audience_consent_record WHERE contact_id = ? AND channel = 'sms'",
    [idBytes(contactId)],
  );
  return row?.at?.getTime() ?? 0;
}

/** The topics on sms that a contact has granted. */
export const grantedOnSms = async (db: Session, contactId: string): Promise<string[]> =>
  (await db.find(consents, { contactId, channel: 'sms', state: 'granted' })).map(({ topic }) => topic);
