import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context, FullContext } from '#core/kernel/context.js';
import { countryOf } from '#core/kernel/schema/phone.js';
import type { LoadedMessage } from '#core/messaging/driver.js';
import { groupBy } from '#core/messaging/group-by.js';
import type { RawSql, SqlValue } from '#core/runtime/database/statement.js';
import { metering, type Usage } from '#plugins/billing/ports.js';
import { usageOf } from '../messages/usage.js';
import type { BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';

/*
 * How texts of broadcasts are metered: when they are created, each at the maximum number of segments; after the
 * delivery attempt, corrected to the actual number.
 */

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
 * @param made FROM and WHERE that select them as `m`
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
