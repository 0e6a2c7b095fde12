import { newId } from '#core/runtime/id.js';
import type { ReplyOf } from '#test/support/api.js';
import type { TestAccount } from '#test/support/platform.js';
import type { CallbackReply } from '#test/support/twilio-callbacks.js';
import type { TwilioTest } from '../twilio-platform.js';

/** A number of the account's live environment. */
export const numberOf = async ({ svc }: TestAccount): Promise<ReplyOf<'sms.number.assign'>['number']> =>
  (await svc.call('sms.number.assign', { country: 'US' })).number;

export interface Written {
  from?: string;
  to: string;
  body: string;
  /** Twilio's id of the text; the same one for a text that is delivered again. */
  sid?: string;
}

export const phone = '+4915123456789';

/** Delivers a text as Twilio does. */
export const deliver = (
  { twilio, platform }: TwilioTest,
  { from = phone, sid = `SM${newId().replaceAll('-', '')}`, ...text }: Written,
  signedWith?: string,
): Promise<CallbackReply> => {
  const { address, services } = platform.running;
  const url = `${services.deployment.baseUrl}/v1/sms/inbound`;
  return twilio.deliver(url, address, { ...text, from, sid }, signedWith);
};
