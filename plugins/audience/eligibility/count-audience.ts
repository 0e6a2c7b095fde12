import { isStatementTimeout } from '#core/runtime/database/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { AudienceCounts, Channel } from '../ports.js';
import { blockingReasons, hasConsent, isSuppressed, type Condition } from './conditions.js';

/**
 * Counts the contacts with an address on a channel: those who may be sent messages under a topic, those who have not granted it, and those
 * who are suppressed whether they have or not. The rule is that of `eligibleRecipients`.
 * @param filter a further condition on the contacts `c`, such as a segment's; null for none
 * @returns null when the statement took longer than the session's time limit
 */
export async function countAudience(
  db: ReadSession,
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  filter: Condition | null,
): Promise<AudienceCounts | null> {
  const [address, digest] = channel === 'email' ? ['c.email', 'c.email_digest'] : ['c.phone', 'c.phone_digest'];
  const consent = hasConsent(environmentId, { channel, topic }, 'c.id');
  const suppressed = isSuppressed(environmentId, channel, blockingReasons({ topic, system: false }), digest);
  try {
    const [row] = await db.rows<{ reachable: number; suppressed: number | string; eligible: number | string }>(
      `SELECT COUNT(*) AS reachable, COALESCE(SUM(x.suppressed), 0) AS suppressed,
         COALESCE(SUM(NOT x.suppressed AND x.consented), 0) AS eligible
       FROM (SELECT ${suppressed.sql} AS suppressed, (${consent.sql}) AS consented
         FROM audience_contact c FORCE INDEX (environment)
         WHERE c.environment_id = ? AND ${address} IS NOT NULL${filter ? ` AND (${filter.sql})` : ''}) x`,
      [...suppressed.parameters, ...consent.parameters, idBytes(environmentId), ...(filter?.parameters ?? [])],
    );
    const [all, blocked, eligible] = [row?.reachable, row?.suppressed, row?.eligible].map((each) => Number(each ?? 0));
    if (all === undefined || blocked === undefined || eligible === undefined) return null;
    return { eligible, suppressed: blocked, noConsent: all - blocked - eligible };
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}
