import { at, textAt } from '#core/runtime/json.js';
import type { TwilioAddress } from '../../deployment/addresses.js';
import { isTemporaryStatus, isUnclearStatus, listedIn, nextTextPool, noAnswer } from '../api-call.js';
import type { OutgoingText, ProviderResult, TextAnswer } from '../provider.js';
import { errorOf, problemOf, type TwilioClient } from './client.js';

/**
 * Temporary errors with status 400: rate limits (14107), the queue of the sending number is full (21611, 30001), and
 * limits of the account's throughput (30022, 63018).
 */
const passing = new Set([14_107, 21_611, 30_001, 30_022, 63_018]);

const messagesUrl = ({ api, accountSid }: TwilioAddress): string =>
  `${api}/2010-04-01/Accounts/${accountSid}/Messages.json`;

/** Submits a text. Twilio does not recognise repeats: the same text submitted twice is sent twice. */
export async function sendText(
  client: TwilioClient,
  address: TwilioAddress,
  { from, to, body, statusUrl, submitBy }: OutgoingText,
): Promise<TextAnswer> {
  const answer = await client.call(
    'POST',
    messagesUrl(address),
    { To: to, From: from, Body: body, StatusCallback: statusUrl },
    { pool: nextTextPool(), startBy: submitBy },
  );
  if (!answer.ok) return noAnswer(answer);
  const { status, json } = answer;
  const sid = at(json, 'sid');
  if (status < 300 && typeof sid === 'string')
    return { outcome: 'sent', providerId: sid, code: null, response: `Twilio accepted it as ${sid}.` };
  const { code, message } = errorOf(status, json);
  const refusal = { providerId: null, code, response: message };
  if (status < 300 || isUnclearStatus(status)) return { outcome: 'unclear', ...refusal };
  const isTemporary = isTemporaryStatus(status) || (code !== null && passing.has(code));
  return { outcome: isTemporary ? 'temporary' : 'permanent', ...refusal };
}

/** Twilio's clock and ours may differ by this much. */
const clockDifferenceMs = 60_000;

/**
 * The SIDs of texts with these words between these numbers, newest first. Twilio keeps no id of ours with a text, and a
 * text that is waiting at Twilio has no sending date yet. The last page of texts is therefore compared here.
 */
export async function findTexts(
  client: TwilioClient,
  address: TwilioAddress,
  { from, to, body }: Pick<OutgoingText, 'from' | 'to'> & { readonly body: string | null },
  since: Date,
): Promise<ProviderResult<readonly string[]>> {
  if (body === null) return { ok: true, value: [] };
  const answer = await client.call('GET', messagesUrl(address), { To: to, From: from, PageSize: '100' });
  if (!answer.ok || answer.status >= 300) return problemOf(answer);
  const listed = listedIn(answer.json, 'messages');
  if (!listed.ok) return listed;
  const earliest = since.getTime() - clockDifferenceMs;
  const sids = listed.value.flatMap((each) => {
    const [sid, created] = [textAt(each, 'sid'), Date.parse(textAt(each, 'date_created') ?? '')];
    const isOurs = textAt(each, 'direction')?.startsWith('outbound') === true;
    // Trial accounts put a sentence before the words; white space at the end is not kept.
    const isSame = textAt(each, 'body')?.trimEnd().endsWith(body.trimEnd()) === true;
    return sid !== null && isOurs && isSame && created >= earliest ? [sid] : [];
  });
  return { ok: true, value: sids };
}
