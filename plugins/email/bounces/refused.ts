import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { LoadedMessage } from '#core/messaging/channel.js';
import { groupBy } from '#core/messaging/group-by.js';
import type { RecipientRow } from '#core/messaging/tables.js';
import { suppressions } from '#plugins/audience/ports.js';
import { noteBounces } from '../broadcasts/bounces.js';
import type { MessageRow } from '../tables/message.js';
import { bounceKind, enhancedCodeIn } from './classify.js';
import { detailLine } from './report.js';

type Ended = LoadedMessage<MessageRow> & { readonly environment: Environment };

/**
 * Suppresses addresses that the mail server refused at once because they do not work, such as 550 5.1.1. The message failed; there was
 * nothing that could come back. Those of a broadcast count as its bounces.
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
  // In the order in which counts are locked everywhere (countStatements).
  const refused = ended
    .flatMap(({ message: { broadcastId }, environment, recipients }) =>
      broadcastId !== null && recipients.some(isRefused) ? [{ broadcastId, environment }] : [],
    )
    .sort((a, b) => (a.broadcastId < b.broadcastId ? -1 : 1));
  for (const group of groupBy(refused, ({ broadcastId }) => broadcastId)) {
    const [first] = group;
    if (first) await noteBounces(context, first.environment, first.broadcastId, { refused: group.length });
  }
}

/** Only an enhanced status code says reliably that an address does not work (RFC 3463): a relay's own refusals often have none. */
function isRefused({ status, address, code, response }: RecipientRow): boolean {
  if (status !== 'failed' || address === '' || code === null || code < 500 || response === null) return false;
  const enhanced = enhancedCodeIn(response);
  return enhanced !== null && isAboutAddress(enhanced) && bounceKind(enhanced, response) === 'hard';
}

/** RFC 3463 §3.2 and §3.3: 5.1.x is about the address, 5.2.1 is a mailbox that is disabled. */
const isAboutAddress = (code: string): boolean => code.startsWith('5.1.') || code === '5.2.1';
