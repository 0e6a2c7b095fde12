import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { LoadedMessage } from '#core/messaging/channel.js';
import { suppressions } from '#plugins/audience/ports.js';
import type { MessageRow } from '../tables/message.js';
import { bounceKind, enhancedCodeIn } from './classify.js';
import { detailLine } from './report.js';

/**
 * Suppresses addresses that the mail server refused at once because they do not work, such as 550 5.1.1. Only an enhanced status code says
 * so reliably (RFC 3463): a relay's own refusals often have none. The message failed; there was nothing that could bounce.
 * @param ended messages that have ended in this transaction
 */
export async function suppressRefused(
  { use }: Pick<Context, 'use'>,
  ended: readonly (LoadedMessage<MessageRow> & { readonly environment: Environment })[],
): Promise<void> {
  for (const { environment, recipients } of ended)
    for (const { status, address, code, response } of recipients) {
      if (status !== 'failed' || address === '' || code === null || code < 500 || response === null) continue;
      const enhanced = enhancedCodeIn(response);
      if (enhanced === null || !isAboutAddress(enhanced) || bounceKind(enhanced, response) !== 'hard') continue;
      const note = detailLine(response);
      await use(suppressions).add(environment, { channel: 'email', address, reason: 'bounce', note });
    }
}

/** RFC 3463 §3.2 and §3.3: 5.1.x is about the address, 5.2.1 is a mailbox that is disabled. */
const isAboutAddress = (code: string): boolean => code.startsWith('5.1.') || code === '5.2.1';
