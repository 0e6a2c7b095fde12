import type { ReadSession } from '#core/runtime/database/read-session.js';
import { isPlain } from '#core/messaging/templates/liquid.js';
import type { AudienceCounts } from '#core/messaging/broadcasts/audience.js';
import { stillToMake } from '#core/messaging/broadcasts/counts.js';
import type { Usage } from '#plugins/billing/ports.js';
import { broadcastTables } from '../tables/broadcast.js';
import { countSegments } from '../segments.js';
import { loadSettings } from '../settings/load.js';
import { templateVersionLoader } from '../templates/render.js';

/**
 * The most segments that a text of a template can have: the actual number if it uses no variables, else the limit in
 * the settings. This number is metered until the text is rendered.
 */
export async function reservedSegments(
  db: Pick<ReadSession, 'rows' | 'prepared'>,
  environmentId: string,
  versionId: string,
): Promise<number> {
  const [versions, { maxSegments }] = await Promise.all([
    templateVersionLoader.load(db, [versionId]),
    loadSettings(db, environmentId),
  ]);
  const bodies = Object.values(versions.get(versionId)?.contents ?? {}).map(({ body }) => body);
  if (!bodies.every(isPlain)) return maxSegments;
  return Math.min(maxSegments, Math.max(1, ...bodies.map((body) => countSegments(body).segments)));
}

/**
 * What a broadcast would be metered as.
 * @param recipients the number of recipients by the country of their number
 */
export const expectedUsage = (
  broadcastId: string,
  recipients: ReadonlyMap<string | null, number>,
  segments: number,
): Usage[] =>
  [...recipients].flatMap(([country, count]) =>
    count * segments === 0
      ? []
      : [{ meter: 'sms.segment', quantity: count * segments, country, sourceId: broadcastId }],
  );

/** One text to any country: the assumed remainder if it is not known. */
export const oneText: ReadonlyMap<string | null, number> = new Map([[null, 1]]);

/**
 * How many texts of a broadcast must still be created, by the country of their number, as far as that is known. For a
 * broadcast that has begun, the remaining countries are assumed to be distributed like those of the whole broadcast.
 * @param audience whom it would reach now; null if counting takes too long
 */
export async function leftByCountry(
  db: Pick<ReadSession, 'rows'>,
  broadcastId: string,
  audience: AudienceCounts,
): Promise<ReadonlyMap<string | null, number>> {
  const left = await stillToMake(db, broadcastTables, broadcastId, audience);
  const share = left / Math.max(audience.eligible, 1);
  const rest = [...audience.eligibleByCountry].map(([country, count]): [string | null, number] => [
    country,
    Math.ceil(count * share),
  ]);
  return new Map(rest.filter(([, count]) => count > 0));
}
