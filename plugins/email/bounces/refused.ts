import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { LoadedMessage } from '#core/messaging/channel.js';
import { countBounces } from '#core/messaging/broadcasts/bounces.js';
import { joined } from '#core/runtime/database/statement.js';
import type { RecipientRow } from '#core/messaging/tables.js';
import { suppressions } from '#plugins/audience/ports.js';
import { noteBounces } from '../broadcasts/bounces.js';
import { broadcastTables } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { bounceKind, enhancedCodeIn } from './classify.js';
import { detailLine } from './report.js';

type Ended = LoadedMessage<MessageRow> & { readonly environment: Environment };

/**
 * Suppresses addresses that the mail server refused at once because they do not work, such as 550 5.1.1. The message failed; there was
 * nothing that could come back. Those of a broadcast count as its bounces. The share that bounced is looked at whenever messages of a
 * broadcast end, whatever became of these.
 * @param ended messages that have ended in this transaction
 */
export async function recordRefused(
  context: Context<'email.broadcast.paused'>,
  ended: readonly Ended[],
): Promise<void> {
  for (const { environment, recipients } of ended)
    for (const { address, response } of recipients.filter(isRefused)) {
      const note = detailLine(response ?? '');
      await context.use(suppressions).add(environment, { channel: 'email', address, reason: 'bounce', note });
    }
  const broadcasts = new Map(
    ended.flatMap(({ message: { broadcastId }, environment }) =>
      broadcastId === null ? [] : [[broadcastId, environment] as const],
    ),
  );
  // Their rows are locked already, as those of all messages that have ended (countStatements).
  const { sql, parameters } = joined(
    [...broadcasts.keys()].flatMap((broadcastId) => {
      const refused = ended.filter(
        (each) => each.message.broadcastId === broadcastId && each.recipients.some(isRefused),
      );
      return refused.length > 0 ? [countBounces(broadcastTables, broadcastId, { refused: refused.length })] : [];
    }),
  );
  if (sql !== '') await context.db.defer(sql, parameters);
  await noteBounces(context, broadcasts);
}

/** Only an enhanced status code says reliably that an address does not work (RFC 3463): a relay's own refusals often have none. */
function isRefused({ status, address, code, response }: RecipientRow): boolean {
  if (status !== 'failed' || address === '' || code === null || code < 500 || response === null) return false;
  const enhanced = enhancedCodeIn(response);
  return enhanced !== null && isAboutAddress(enhanced) && bounceKind(enhanced, response) === 'hard';
}

/** RFC 3463 §3.2 and §3.3: 5.1.x is about the address, 5.2.1 is a mailbox that is disabled. */
const isAboutAddress = (code: string): boolean => code.startsWith('5.1.') || code === '5.2.1';
