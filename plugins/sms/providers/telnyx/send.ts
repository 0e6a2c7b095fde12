import { textAt } from '#core/surfaces/json.js';
import type { TelnyxAddress } from '../addresses.js';
import { isTemporaryStatus, nextTextPool } from '../api-call.js';
import type { OutgoingText, TextAnswer } from '../provider.js';
import { errorOf, type TelnyxClient } from './client.js';

/** Hands a text over. Telnyx knows no repeats: the same text handed over twice is sent twice. */
export async function sendText(
  client: TelnyxClient,
  { messagingProfile }: TelnyxAddress,
  { messageId, from, to, body, statusUrl }: OutgoingText,
): Promise<TextAnswer> {
  const message = {
    from,
    to,
    text: body,
    webhook_url: statusUrl,
    messaging_profile_id: messagingProfile,
    // Telnyx signs the tags of its events, and not the address that it calls.
    tags: [messageId],
  };
  const answer = await client.call('POST', '/messages', message, nextTextPool());
  if (!answer.ok) return { outcome: 'temporary', providerId: null, code: null, response: answer.problem };
  const { status, json } = answer;
  const id = textAt(json, 'data', 'id');
  if (status < 300 && id !== null)
    return { outcome: 'sent', providerId: id, code: null, response: `Telnyx took it as ${id}.` };
  const { code, message: response } = errorOf(status, json);
  const isTemporary = status < 300 || isTemporaryStatus(status);
  return {
    outcome: isTemporary ? 'temporary' : 'permanent',
    providerId: null,
    code: code !== null && /^\d{1,9}$/.test(code) ? Number(code) : null,
    response,
  };
}
