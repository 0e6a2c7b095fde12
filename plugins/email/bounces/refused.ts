import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { LoadedMessage } from '#core/messaging/driver.js';
import { countBounces } from '#core/messaging/broadcasts/bounces.js';
import { joined } from '#core/runtime/database/statement.js';
import type { RecipientRow } from '#core/messaging/tables.js';
import { suppressions } from '#plugins/audience/ports.js';
import { noteBounces } from './held-broadcasts.js';
import { broadcastTables } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { bounceKind, enhancedCodeIn } from './classify.js';
import { detailLine } from './report.js';

type Ended = LoadedMessage<MessageRow> & { readonly environment: Environment };

/** The most broadcasts that a worker remembers as settled. */
const maxSettled = 10_000;

/**
 * Suppresses addresses that the mail server refused immediately because they do not work, such as 550 5.1.1: with the
 * attempt, also if the message waits for other recipients.
 * @param attempted messages that an attempt was made for, each with the recipients that were answered
 */
export async function suppressRefused(context: Pick<Context, 'use'>, attempted: readonly Ended[]): Promise<void> {
  for (const { environment, recipients } of attempted)
    for (const { address, response } of recipients.filter(isRefused)) {
      const note = detailLine(response ?? '');
      await context.use(suppressions).add(environment, { channel: 'email', address, reason: 'bounce', note });
    }
}

/**
 * Counts refused messages of a broadcast (suppressRefused) as its bounces: nothing can bounce later. The bounce rate is
 * checked whenever messages of a broadcast end, with any outcome, until it is settled; after that, with each refusal.
 * @param ended messages that have ended in this transaction
 * @param settled broadcasts for which only another bounce can change the answer, as far as this worker knows
 */
export async function recordRefused(
  context: Context<'email.broadcast.paused'>,
  ended: readonly Ended[],
  settled: Set<string>,
): Promise<void> {
  const refusals = new Map<string, number>();
  const toCheck = new Map<string, Environment>();
  for (const { message, environment, recipients } of ended) {
    const { broadcastId } = message;
    if (broadcastId === null) continue;
    const hasBounced = recipients.some(isRefused);
    if (hasBounced) refusals.set(broadcastId, (refusals.get(broadcastId) ?? 0) + 1);
    if (hasBounced || !settled.has(broadcastId)) toCheck.set(broadcastId, environment);
  }
  if (toCheck.size === 0) return;
  // Their rows are locked already, like the rows of all messages that have ended (countStatements).
  await context.db.defer(
    joined([...refusals].map(([broadcastId, refused]) => countBounces(broadcastTables, broadcastId, { refused }))),
  );
  if (settled.size > maxSettled) settled.clear();
  for (const id of await noteBounces(context, toCheck)) settled.add(id);
}

/** The verdict is that of bounces. A refusal of MAIL FROM names the sender (delivery/smtp/answers.ts): it is soft. */
function isRefused({ status, address, code, response }: RecipientRow): boolean {
  if (status !== 'failed' || address === '' || code === null || code < 500 || response === null) return false;
  return bounceKind(enhancedCodeIn(response), response) === 'hard';
}
