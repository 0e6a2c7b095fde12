import { isStatementTimeout } from '#core/runtime/database/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { AudienceCounts } from '../ports.js';
import { blockingReasons } from './conditions.js';

interface Sums {
  usable: number | string;
  reachable: number | string;
  granted: number | string;
  /** Of `granted`: contacts without an address. */
  unreachable: number | string;
  revoked: number | string;
  suppressed: number | string;
  suppressed_granted: number | string;
  suppressed_revoked: number | string;
}

/**
 * Counts all contacts of an environment as `countAudience` does for email, in one statement: it counts rows of indexes,
 * and looks up only the smaller sides: the suppressed contacts, those who have opted out and those without an address.
 * A consent that is granted belongs to a contact; a revoked one may outlive it.
 * @returns null if the statement took longer than the session's time limit
 */
export async function countEverybody(
  db: ReadSession,
  environmentId: string,
  topic: string,
): Promise<AudienceCounts | null> {
  const [environment, key, channel] = [idBytes(environmentId), Buffer.from(topic), Buffer.from('email')];
  const reasons = blockingReasons({ topic, system: false }).map((reason) => Buffer.from(reason));
  const consents = 'audience_consent k FORCE INDEX (topic)';
  const inTopic = 'k.environment_id = ? AND k.topic = ? AND k.channel = ?';
  const purpose = [environment, key, channel];
  try {
    const [sums] = await db.rows<Sums>(
      `SELECT EXISTS (SELECT 1 FROM audience_topic t WHERE t.environment_id = ? AND t.topic = ? AND t.archived_at IS NULL
           AND JSON_CONTAINS(t.channels, ?)) AS usable,
         (SELECT COUNT(*) FROM audience_contact c FORCE INDEX (email_key)
           WHERE c.environment_id = ? AND c.email_key IS NOT NULL) AS reachable,
         (SELECT COUNT(*) FROM ${consents} WHERE ${inTopic} AND k.state = 'granted') AS granted,
         (SELECT COUNT(*) FROM audience_contact c FORCE INDEX (email_key) STRAIGHT_JOIN audience_consent k FORCE INDEX (PRIMARY)
           ON k.contact_id = c.id AND k.channel = ? AND k.topic = ? AND k.state = 'granted'
           WHERE c.environment_id = ? AND c.email_key IS NULL) AS unreachable,
         (SELECT COUNT(*) FROM ${consents} STRAIGHT_JOIN audience_contact c FORCE INDEX (PRIMARY)
           ON c.id = k.contact_id AND c.email_key IS NOT NULL WHERE ${inTopic} AND k.state = 'revoked') AS revoked,
         b.*
       FROM (SELECT COUNT(*) AS suppressed, COALESCE(SUM(k.state = 'granted'), 0) AS suppressed_granted,
           COALESCE(SUM(k.state = 'revoked'), 0) AS suppressed_revoked
         FROM (SELECT DISTINCT c.id FROM audience_suppression s FORCE INDEX (active)
             STRAIGHT_JOIN audience_contact c FORCE INDEX (email_digest)
             ON c.environment_id = s.environment_id AND c.email_digest = s.address_digest
             WHERE s.environment_id = ? AND s.channel = ? AND s.reason IN (?) AND s.active = 1 AND c.email_key IS NOT NULL) d
         LEFT JOIN audience_consent k ON k.contact_id = d.id AND k.channel = ? AND k.topic = ?) b`,
      [
        ...[environment, key, JSON.stringify('email')],
        environment,
        ...purpose,
        ...[channel, key, environment],
        ...purpose,
        ...[environment, channel, reasons],
        ...[channel, key],
      ],
    );
    return sums === undefined ? null : countsOf(sums);
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

function countsOf(sums: Sums): AudienceCounts {
  const suppressed = Number(sums.suppressed);
  const granted = Number(sums.granted) - Number(sums.unreachable) - Number(sums.suppressed_granted);
  // Nobody has granted a topic that cannot be used.
  const eligible = Number(sums.usable) === 1 ? granted : 0;
  return {
    eligible,
    suppressed,
    noConsent: Number(sums.reachable) - suppressed - eligible,
    optedOut: Number(sums.revoked) - Number(sums.suppressed_revoked),
    eligibleByCountry: new Map(),
    eligibleWithout: new Map(),
    isExact: true,
  };
}
