import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { textChoices } from '#plugins/audience/ports.js';
import type { SmsSettingsValue } from '../settings/resources.js';
import type { InboundRow } from '../tables/inbound.js';
import type { KeywordMatch } from './keywords/match.js';

export interface Order {
  readonly text: InboundRow;
  readonly match: KeywordMatch;
  readonly settings: SmsSettingsValue;
}

/**
 * Does what a keyword says.
 * @returns the contact that has the sender's number now
 */
export async function obey(
  context: FullContext,
  environment: Environment,
  { text, match, settings }: Order,
): Promise<{ contactId: string | null }> {
  const { keyword } = match;
  const number = text.fromNumber;
  // A short code or a name is nobody who could be sent a text.
  if (!parsePhone(number).ok) return { contactId: null };
  const choices = context.use(textChoices);
  let contactId = text.contactId;
  if (keyword === 'stop') await choices.stop(environment, number);
  if (keyword === 'start') {
    const started = await choices.start(environment, { number, wording: text.body, topic: settings.consentByStart });
    contactId = started.contactId;
  }
  return { contactId };
}
