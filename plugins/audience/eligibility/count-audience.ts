import { countryOf } from '#core/kernel/schema/phone.js';
import { isStatementTimeout } from '#core/runtime/database/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { AudienceCounts, Channel } from '../ports.js';
import { blockingReasons, hasConsent, isSuppressed, type Condition } from './conditions.js';

/** Contacts whose addresses begin alike. */
interface Group {
  /** One of their numbers; null on channels without numbers. */
  example: Buffer | null;
  reachable: number;
  suppressed: number | string;
  eligible: number | string;
}

/**
 * So much of a number as decides on its country: three digits hold every calling code. Of those that countries share, the digits after it
 * say which one it is: the area code in North America, up to five digits elsewhere.
 */
const decidingPart = (phone: string): string =>
  `CASE WHEN ${phone} LIKE '+1%' THEN LEFT(${phone}, 5)
     WHEN LEFT(${phone}, 2) = '+7' OR LEFT(${phone}, 3) IN ('+39', '+44', '+47', '+61')
       OR LEFT(${phone}, 4) IN ('+212', '+262', '+290', '+358', '+590', '+599') THEN LEFT(${phone}, 8)
     ELSE LEFT(${phone}, 4) END`;

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
  const grouped = channel === 'email' ? null : decidingPart('x.address');
  try {
    const groups = await db.rows<Group>(
      `SELECT ${grouped === null ? 'NULL' : 'MIN(x.address)'} AS example, COUNT(*) AS reachable,
         COALESCE(SUM(x.suppressed), 0) AS suppressed, COALESCE(SUM(NOT x.suppressed AND x.consented), 0) AS eligible
       FROM (SELECT ${suppressed.sql} AS suppressed, (${consent.sql}) AS consented${grouped === null ? '' : `, ${address} AS address`}
         FROM audience_contact c FORCE INDEX (environment)
         WHERE c.environment_id = ? AND ${address} IS NOT NULL${filter ? ` AND (${filter.sql})` : ''}) x${
           grouped === null ? '' : ` GROUP BY ${grouped}`
         }`,
      [...suppressed.parameters, ...consent.parameters, idBytes(environmentId), ...(filter?.parameters ?? [])],
    );
    return countsOf(groups);
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

function countsOf(groups: readonly Group[]): AudienceCounts {
  const counts = { eligible: 0, noConsent: 0, suppressed: 0 };
  const eligibleByCountry = new Map<string | null, number>();
  for (const { example, ...group } of groups) {
    const [suppressed, eligible] = [Number(group.suppressed), Number(group.eligible)];
    counts.eligible += eligible;
    counts.suppressed += suppressed;
    counts.noConsent += group.reachable - suppressed - eligible;
    if (example === null || eligible === 0) continue;
    const country = countryOf(example.toString());
    eligibleByCountry.set(country, (eligibleByCountry.get(country) ?? 0) + eligible);
  }
  return { ...counts, eligibleByCountry };
}
