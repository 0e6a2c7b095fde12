import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { textChoices } from '#plugins/audience/ports.js';
import type { SmsSettingsValue } from '../settings/resources.js';
import type { InboundRow } from '../tables/inbound.js';
import type { KeywordMatch } from '../keywords/match.js';
import { queueReply } from './reply.js';

/** A received text that is a keyword. */
interface ReceivedKeyword {
  readonly text: InboundRow;
  readonly match: KeywordMatch;
  readonly settings: SmsSettingsValue;
  /**
   * Whether this environment answers. If several environments send from one number, only the one that texted the sender
   * last does.
   */
  readonly answers: boolean;
}

/**
 * Applies a keyword, and queues its answer. A repeated STOP is not answered, so that a machine that answers every text
 * with STOP does not cause an endless exchange.
 * @returns the contact that has the sender's number now
 */
export async function applyKeyword(
  context: FullContext,
  environment: Environment,
  { text, match, settings, answers }: ReceivedKeyword,
): Promise<{ contactId: string | null }> {
  const { keyword } = match;
  const number = text.fromNumber;
  // No text can be sent to a short code or a name.
  if (!parsePhone(number).ok) return { contactId: null };
  const choices = context.use(textChoices);
  let contactId = text.contactId;
  let isNews = true;
  if (keyword === 'stop') isNews = (await choices.stop(environment, number)).stopped;
  if (keyword === 'start') {
    const started = await choices.start(environment, { number, wording: text.body, topic: settings.consentByStart });
    contactId = started.contactId;
  }
  if (answers && isNews) await queueReply(context, environment, { text: { ...text, contactId }, match, settings });
  return { contactId };
}
