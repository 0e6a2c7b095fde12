import { countryOf } from '#core/kernel/schema/phone.js';
import { isStatementTimeout } from '#core/runtime/database/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { nameId } from '../contacts/value-key.js';
import type { AudienceCounts, Channel, ContactRange, CountOptions } from '../ports.js';
import { blockingReasons, hasConsent, isSuppressed, optOutRecord, topicValue } from './conditions.js';
import { fromCandidates, type Candidates } from '../segments/candidates.js';
import { contactsAfter } from './eligible-recipients.js';

/** Contacts whose addresses start with the same characters. */
interface Group {
  /** One of their numbers; null for channels without numbers. */
  example: Buffer | null;
  reachable: number;
  suppressed: number | string;
  eligible: number | string;
  opted_out: number | string;
  /** The eligible contacts without the first of the requested properties (`without0`), the second, and so on. */
  [without: `without${number}`]: number | string | undefined;
}

/**
 * The part of a number that determines its country. Three digits contain every calling code. For codes that countries
 * share, the digits after the code determine the country: the area code in North America, up to five digits elsewhere.
 */
const decidingPart = (phone: string): string =>
  `CASE WHEN ${phone} LIKE '+1%' THEN LEFT(${phone}, 5)
     WHEN LEFT(${phone}, 2) = '+7' OR LEFT(${phone}, 3) IN ('+39', '+44', '+47', '+61')
       OR LEFT(${phone}, 4) IN ('+212', '+262', '+290', '+358', '+590', '+599') THEN LEFT(${phone}, 8)
     ELSE LEFT(${phone}, 4) END`;

/** How an audience is counted. */
export interface CountLimits extends CountOptions {
  /** Contacts in the first batch. Each batch takes as many as can be counted in about half a second. */
  readonly firstBatch?: number;
}

const mostPerBatch = 200_000;
const [quickMs, slowMs] = [250, 1_000];

/**
 * Counts the contacts with an address on a channel: the ones that may be sent messages under a topic, the ones that
 * have not granted it, and the ones that are suppressed, whether they have granted it or not. The rule is that of
 * `eligibleRecipients`. It counts the contacts in batches, so that a partial count is available when the time is over.
 * @param candidates all contacts, or those of a segment
 * @returns `isExact` false if it stopped before the end: the real count is at least this
 */
export async function countAudience(
  db: ReadSession,
  environmentId: string,
  purpose: { channel: Channel; topic: string },
  candidates: Candidates,
  { withinMs, properties = [], after: from = null, firstBatch = 20_000 }: CountLimits = {},
): Promise<AudienceCounts> {
  const began = performance.now();
  const groups: Group[] = [];
  let [after, size]: [string | null, number] = [from, firstBatch];
  for (;;) {
    const batchBegan = performance.now();
    const range = await contactsAfter(db, environmentId, candidates, after, size);
    if (!range) return countsOf(groups, properties, true);
    const counted = await countGroups(db, environmentId, purpose, { candidates, properties }, range);
    const took = performance.now() - batchBegan;
    if (counted) {
      groups.push(...counted);
      after = range.upTo;
      if (took < quickMs) size = Math.min(size * 2, mostPerBatch);
      if (took > slowMs) size = Math.ceil(size / 2);
    } else if (size === 1) return { ...countsOf(groups, properties, false), reached: after };
    else size = Math.ceil(size / 8);
    if (withinMs !== undefined && performance.now() - began >= withinMs) {
      const isExact = (await contactsAfter(db, environmentId, candidates, after, 1)) === null;
      return { ...countsOf(groups, properties, isExact), ...(isExact ? {} : { reached: after }) };
    }
  }
}

/** Counts the contacts of one range. @throws Error if the statement took longer than the session's time limit */
export async function countBatch(
  db: ReadSession,
  environmentId: string,
  purpose: { channel: Channel; topic: string },
  candidates: Candidates,
  range: ContactRange,
): Promise<AudienceCounts> {
  const groups = await countGroups(db, environmentId, purpose, { candidates, properties: [] }, range);
  if (groups === null) throw new Error('Counting part of an audience took too long.');
  return countsOf(groups, [], true);
}

/** @returns null if the statement took longer than the session's time limit */
async function countGroups(
  db: ReadSession,
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  { candidates, properties }: { candidates: Candidates; properties: readonly string[] },
  range: ContactRange,
): Promise<Group[] | null> {
  const [address, digest] = channel === 'email' ? ['c.email', 'c.email_digest'] : ['c.phone', 'c.phone_digest'];
  const consent = hasConsent(environmentId, { channel, topic: topicValue(topic) }, 'c.id');
  const suppressed = isSuppressed(environmentId, channel, blockingReasons({ topic, system: false }), digest);
  const optOut = optOutRecord(environmentId, { channel, topic: topicValue(topic) }, 'x.id');
  const grouped = channel === 'email' ? null : decidingPart('x.address');
  const from = fromCandidates(environmentId, candidates, range);
  const without = properties.map(
    (_, index) => `,
         COALESCE(SUM(NOT x.suppressed AND x.consented AND NOT EXISTS
           (SELECT 1 FROM audience_property p WHERE p.contact_id = x.id AND p.key_id = ?)), 0) AS without${index}`,
  );
  try {
    return await db.rows<Group>(
      `SELECT ${grouped === null ? 'NULL' : 'MIN(x.address)'} AS example, COUNT(*) AS reachable,
         COALESCE(SUM(x.suppressed), 0) AS suppressed, COALESCE(SUM(NOT x.suppressed AND x.consented), 0) AS eligible,
         COALESCE(SUM(NOT x.suppressed AND NOT x.consented AND ${optOut.sql} IS NOT NULL), 0) AS opted_out${without.join('')}
       FROM (SELECT c.id AS id, ${suppressed.sql} AS suppressed, (${consent.sql}) AS consented${grouped === null ? '' : `, ${address} AS address`}
         ${from.sql} AND ${address} IS NOT NULL) x${grouped === null ? '' : ` GROUP BY ${grouped}`}`,
      [
        ...optOut.parameters,
        ...properties.map((name) => nameId(environmentId, name)),
        ...suppressed.parameters,
        ...consent.parameters,
        ...from.parameters,
      ],
    );
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

function countsOf(groups: readonly Group[], properties: readonly string[], isExact: boolean): AudienceCounts {
  const counts = { eligible: 0, noConsent: 0, optedOut: 0, suppressed: 0 };
  const eligibleByCountry = new Map<string | null, number>();
  for (const { example, ...group } of groups) {
    const [suppressed, eligible] = [Number(group.suppressed), Number(group.eligible)];
    counts.eligible += eligible;
    counts.suppressed += suppressed;
    counts.optedOut += Number(group.opted_out);
    counts.noConsent += group.reachable - suppressed - eligible;
    if (example === null || eligible === 0) continue;
    const country = countryOf(example.toString());
    eligibleByCountry.set(country, (eligibleByCountry.get(country) ?? 0) + eligible);
  }
  const without = properties.map((name, index): [string, number] => [
    name,
    groups.reduce((sum, group) => sum + Number(group[`without${index}`] ?? 0), 0),
  ]);
  return { ...counts, eligibleByCountry, eligibleWithout: new Map(without), isExact };
}
