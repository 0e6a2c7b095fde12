import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context, FullContext, ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import { countryOf } from '#core/kernel/schema/phone.js';
import { countAudienceOf, type AudienceCounts } from '#core/messaging/broadcasts/audience.js';
import { stillToMake } from '#core/messaging/broadcasts/counts.js';
import type { ReserveCost } from '#core/messaging/broadcasts/driver.js';
import type { LoadedMessage } from '#core/messaging/driver.js';
import { groupBy } from '#core/messaging/group-by.js';
import { isPlain } from '#core/messaging/templates/liquid.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { RawSql, SqlValue } from '#core/runtime/database/statement.js';
import { recipients } from '#plugins/audience/ports.js';
import { metering, type Usage } from '#plugins/billing/ports.js';
import { deploymentSettings } from '../deployment/settings.js';
import { usageOf } from '../messages/metering.js';
import { countSegments } from '../segments.js';
import { loadSettings } from '../settings/load.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { templateVersionLoader } from '../templates/render.js';

/*
 * How texts of broadcasts are metered: reserved from the spending cap before the first one is created, metered when
 * they are created, each at the maximum number of segments, and corrected to the actual number after the delivery
 * attempt.
 */

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

/** See BroadcastDriver. */
export async function reservation(
  { use, db, deployment }: ReadContext<ErrorCode>,
  environment: Environment,
  broadcast: BroadcastRow,
): Promise<ReserveCost | null> {
  const { id, reservedSegments } = broadcast;
  // Some countries may cost nothing.
  const anywhere = new Map(
    [null, ...deployment.settingsOf(deploymentSettings).smsAllowedCountries].map((each) => [each, 1]),
  );
  if (!(await use(metering).mustReserve(environment, expectedUsage(id, anywhere, reservedSegments)))) return null;
  const audience = await countAudienceOf(use(recipients), 'sms', broadcast);
  const usage = expectedUsage(id, await leftByCountry(db, id, audience), reservedSegments);
  if (usage.length === 0) return null;
  return async (context) => (await context.use(metering).reserve(environment, usage)) === null;
}

type Metered = { readonly number: string; readonly segments: number; readonly made: Date };

/** Usage by country and by the month in which the texts were created. */
function usagesOf(broadcastId: string, texts: readonly Metered[]): Usage[] {
  const keyOf = ({ number, made }: Metered): string => `${countryOf(number) ?? ''} ${made.toISOString().slice(0, 7)}`;
  return groupBy(texts, keyOf).flatMap((group) => {
    const [first] = group;
    const quantity = group.reduce((sum, { segments }) => sum + segments, 0);
    if (!first || quantity === 0) return [];
    return [{ ...usageOf(broadcastId, first.number, quantity), recordedAt: first.made }];
  });
}

async function metered(
  { db }: Pick<Context, 'db'>,
  from: { sql: string; parameters: readonly SqlValue[] },
): Promise<Metered[]> {
  return db.rows<Metered>(
    `SELECT m.to_number AS number, m.metered_segments AS segments, m.created_at AS made ${from.sql}`,
    [...from.parameters],
  );
}

/**
 * Meters texts that were just created.
 * @param made WHERE and FROM clauses that select them as `m`
 * @returns false if they would exceed the cap
 */
export async function meterMessages(
  context: FullContext,
  environment: Environment,
  { id }: BroadcastRow,
  made: { readonly sql: string; readonly parameters: readonly SqlValue[] },
): Promise<boolean> {
  const usages = usagesOf(id, await metered(context, made));
  return (await context.use(metering).recordReserved(environment, usages)) === null;
}

/** Reverses the metering of texts that are cancelled with their broadcast. */
export async function reverseAllUsage(
  context: FullContext,
  environment: Environment,
  { id }: BroadcastRow,
  ids: { readonly sql: RawSql },
): Promise<void> {
  const from = { sql: 'FROM sms_message m FORCE INDEX (PRIMARY) WHERE m.id IN (?)', parameters: [ids.sql] };
  await context.use(metering).reverse(environment, usagesOf(id, await metered(context, from)));
}

/** Corrects the metering of texts to the segments that were sent: one row for each broadcast and country. */
export async function adjustSegments(
  { use }: Pick<Context, 'use'>,
  ended: readonly (LoadedMessage<MessageRow> & { readonly environment: Environment })[],
): Promise<void> {
  const corrected = ended.flatMap(({ message, recipients, environment }) => {
    const { broadcastId, toNumber: number, createdAt: made } = message;
    const segments = message.segments - message.meteredSegments;
    const isSent = recipients.some(({ status }) => status === 'sent');
    return broadcastId === null || segments === 0 || !isSent
      ? []
      : [{ broadcastId, environment, number, segments, made }];
  });
  for (const group of groupBy(corrected, ({ broadcastId }) => broadcastId)) {
    const [first] = group;
    if (first) await use(metering).adjust(first.environment, usagesOf(first.broadcastId, group));
  }
}
