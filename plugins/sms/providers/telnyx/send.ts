import { textAt } from '#core/runtime/json.js';
import type { TelnyxAddress } from '../../deployment/addresses.js';
import { isTemporaryStatus, isUnclearStatus, listedIn, nextTextPool, noAnswer } from '../api-call.js';
import { messageIdOfUrl } from '../callback-values.js';
import { isOptOut } from '../opt-out.js';
import type { OutgoingText, ProviderResult, TextAnswer } from '../provider.js';
import { errorOf, problemOf, type TelnyxClient } from './client.js';

/**
 * Temporary errors (https://developers.telnyx.com/docs/messaging/messages/error-codes): a full queue (40318), a number
 * whose purchase is not complete (40320), and a profile or account that the operator must enable again (40312, 40314).
 */
const passing = new Set(['40312', '40314', '40318', '40320']);

/** Submits a text. Telnyx does not recognise repeats: the same text submitted twice is sent twice. */
export async function sendText(
  client: TelnyxClient,
  { messagingProfile }: TelnyxAddress,
  { from, to, body, statusUrl, submitBy }: OutgoingText,
): Promise<TextAnswer> {
  const message = { from, to, text: body, webhook_url: statusUrl, messaging_profile_id: messagingProfile };
  const answer = await client.call('POST', '/messages', message, { pool: nextTextPool(), startBy: submitBy });
  if (!answer.ok) return noAnswer(answer);
  const { status, json } = answer;
  const id = textAt(json, 'data', 'id');
  if (status < 300 && id !== null)
    return { outcome: 'sent', providerId: id, code: null, response: `Telnyx accepted it as ${id}.` };
  const { code, message: response } = errorOf(status, json);
  const refusal = { providerId: null, code: code !== null && /^\d{1,9}$/.test(code) ? Number(code) : null, response };
  if (status < 300 || isUnclearStatus(status)) return { outcome: 'unclear', ...refusal };
  const isTemporary = !isOptOut(code, response) && (isTemporaryStatus(status) || passing.has(code ?? ''));
  return { outcome: isTemporary ? 'temporary' : 'permanent', ...refusal };
}

/** Telnyx's clock and ours may differ by this much. */
const clockDifferenceMs = 60_000;

/**
 * Telnyx's id of the text whose status address contains svc's id, from the detail records of texts to the same number;
 * none if there is no such record.
 */
export async function findTexts(
  client: TelnyxClient,
  { messageId, to }: Pick<OutgoingText, 'messageId' | 'to'>,
  since: Date,
): Promise<ProviderResult<readonly string[]>> {
  const query = new URLSearchParams({
    'filter[record_type]': 'messaging',
    'filter[direction]': 'outbound',
    'filter[cld]': to,
    'filter[created_at][gte]': new Date(since.getTime() - clockDifferenceMs).toISOString(),
    sort: '-created_at',
    'page[size]': '50',
  });
  const answer = await client.call('GET', `/detail_records?${query.toString()}`);
  if (!answer.ok || answer.status >= 300) return problemOf(answer);
  const listed = listedIn(answer.json, 'data');
  if (!listed.ok) return listed;
  const ids = listed.value.flatMap((record) => {
    const [id, url] = [textAt(record, 'uuid'), textAt(record, 'delivery_status_webhook_url')];
    return id !== null && messageIdOfUrl(url) === messageId ? [id] : [];
  });
  return { ok: true, value: ids };
}
