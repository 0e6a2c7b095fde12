import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { textChoices } from '#plugins/audience/ports.js';
import type { SmsSettingsValue } from '../settings/resources.js';
import type { InboundRow } from '../tables/inbound.js';
import type { KeywordMatch } from './keywords/match.js';
import { queueReply } from './reply.js';

export interface Order {
  readonly text: InboundRow;
  readonly match: KeywordMatch;
  readonly settings: SmsSettingsValue;
  /** Whether this environment answers; of several that send from one number only the last one does. */
  readonly answers: boolean;
}

/**
 * Does what a keyword says, and answers it. A second STOP is not answered: the first was, and a machine that answers every text with STOP
 * would never be done.
 * @returns the contact that has the sender's number now
 */
export async function obey(
  context: FullContext,
  environment: Environment,
  { text, match, settings, answers }: Order,
): Promise<{ contactId: string | null }> {
  const { keyword } = match;
  const number = text.fromNumber;
  // A short code or a name is nobody who could be sent a text.
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
