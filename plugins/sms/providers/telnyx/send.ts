import { listAt, textAt } from '#core/surfaces/json.js';
import type { TelnyxAddress } from '../addresses.js';
import { isTemporaryStatus, isUnclearStatus, nextTextPool, noAnswer } from '../api-call.js';
import type { OutgoingText, ProviderResult, TextAnswer } from '../provider.js';
import { errorOf, problemOf, type TelnyxClient } from './client.js';

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
  if (!answer.ok) return noAnswer(answer);
  const { status, json } = answer;
  const id = textAt(json, 'data', 'id');
  if (status < 300 && id !== null)
    return { outcome: 'sent', providerId: id, code: null, response: `Telnyx took it as ${id}.` };
  const { code, message: response } = errorOf(status, json);
  const refusal = { providerId: null, code: code !== null && /^\d{1,9}$/.test(code) ? Number(code) : null, response };
  if (status < 300 || isUnclearStatus(status)) return { outcome: 'unclear', ...refusal };
  return { outcome: isTemporaryStatus(status) ? 'temporary' : 'permanent', ...refusal };
}

/** Telnyx's clock and ours may differ by this much. */
const clockDifferenceMs = 60_000;

/** The id of the text whose tag is svc's id of it, by the detail records of texts to its number; none where there is no record. */
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
  const ids = listAt(answer.json, 'data').flatMap((record) => {
    const [id, tags] = [textAt(record, 'uuid'), textAt(record, 'tags')?.split(',') ?? []];
    return id !== null && tags.some((tag) => tag.trim() === messageId) ? [id] : [];
  });
  return { ok: true, value: ids };
}
