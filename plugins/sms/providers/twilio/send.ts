import { at } from '#core/surfaces/json.js';
import type { TwilioAddress } from '../addresses.js';
import { isTemporaryStatus, nextTextPool } from '../api-call.js';
import type { OutgoingText, TextAnswer } from '../provider.js';
import { errorOf, type TwilioClient } from './client.js';

/**
 * Errors with status 400 that pass: rate limits (14107), the queue of the sending number is full (21611, 30001), and limits of the
 * account's throughput (30022, 63018).
 */
const passing = new Set([14_107, 21_611, 30_001, 30_022, 63_018]);

/** Hands a text over. Twilio knows no repeats: the same text handed over twice is sent twice. */
export async function sendText(
  client: TwilioClient,
  { api, accountSid }: TwilioAddress,
  { from, to, body, statusUrl }: OutgoingText,
): Promise<TextAnswer> {
  const url = `${api}/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const answer = await client.call(
    'POST',
    url,
    { To: to, From: from, Body: body, StatusCallback: statusUrl },
    nextTextPool(),
  );
  if (!answer.ok) return { outcome: 'temporary', providerId: null, code: null, response: answer.problem };
  const { status, json } = answer;
  const sid = at(json, 'sid');
  if (status < 300 && typeof sid === 'string')
    return { outcome: 'sent', providerId: sid, code: null, response: `Twilio took it as ${sid}.` };
  const { code, message } = errorOf(status, json);
  const isTemporary = status < 300 || isTemporaryStatus(status) || (code !== null && passing.has(code));
  return { outcome: isTemporary ? 'temporary' : 'permanent', providerId: null, code, response: message };
}
