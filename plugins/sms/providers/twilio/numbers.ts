import { at, isRecord, listAt } from '#core/runtime/json.js';
import type { Capability } from '../../tables/number.js';
import type { TwilioAddress } from '../../deployment/addresses.js';
import type { ProviderNumber, ProviderResult, WantedNumber } from '../provider.js';
import { listedIn } from '../api-call.js';
import { errorOf, problemOf, type Fields, type TwilioClient } from './client.js';

/** Kinds of numbers that send texts, in the order in which they are tried. Not every country has all of them. */
const kinds = ['Local', 'Mobile'] as const;

const accountUrl = ({ api, accountSid }: TwilioAddress): string => `${api}/2010-04-01/Accounts/${accountSid}`;

/** Available numbers, of the first kind that has any. */
export async function searchNumbers(
  client: TwilioClient,
  address: TwilioAddress,
  wanted: WantedNumber,
): Promise<ProviderResult<readonly ProviderNumber[]>> {
  for (const kind of kinds) {
    const url = `${accountUrl(address)}/AvailablePhoneNumbers/${wanted.country}/${kind}.json`;
    const answer = await client.call('GET', url, searchFields(wanted));
    // A country or kind that Twilio does not have.
    if (answer.ok && answer.status === 404) continue;
    if (!answer.ok || answer.status >= 300) return problemOf(answer);
    const found = listAt(answer.json, 'available_phone_numbers').flatMap((each) => numberOf(each) ?? []);
    const fitting = found.filter(({ number }) => wanted.number === undefined || number === wanted.number);
    if (fitting.length > 0) return { ok: true, value: fitting };
  }
  return { ok: true, value: [] };
}

const searchFields = ({ areaCode, number, capabilities }: WantedNumber): Fields => ({
  SmsEnabled: 'true',
  ...(capabilities.includes('mms') ? { MmsEnabled: 'true' } : {}),
  ...(areaCode === undefined ? {} : { AreaCode: areaCode }),
  ...(number === undefined ? {} : { Contains: number }),
  PageSize: '20',
});

/** A number in an answer of Twilio, which is ours if it has a `sid`; null for anything else. */
function numberOf(json: unknown): ProviderNumber | null {
  const [number, sid, able] = [at(json, 'phone_number'), at(json, 'sid'), at(json, 'capabilities')];
  if (typeof number !== 'string' || !isRecord(able)) return null;
  // Available numbers have them in capitals, our own numbers in lower case.
  const has = (name: Capability): boolean => able[name] === true || able[name.toUpperCase()] === true;
  const capabilities = (['sms', 'mms'] as const).filter(has);
  return { number, capabilities, providerId: typeof sid === 'string' ? sid : null };
}

/** Errors for a number that nobody can have or that another account took: 21421 invalid, 21422 not available. */
const gone = new Set([21_421, 21_422]);

/**
 * Takes exactly this number. Twilio has no key that would make a repeat harmless: look the number up with `findNumber`
 * first.
 * @param inboundUrl where Twilio delivers what people write to it. It is also the fallback: Twilio repeats a delivery
 *   that got an error or no answer only there (twilio.com/docs/usage/webhooks/messaging-webhooks).
 * @returns null if it is no longer available
 */
export async function buyNumber(
  client: TwilioClient,
  address: TwilioAddress,
  number: string,
  inboundUrl: string,
): Promise<ProviderResult<ProviderNumber | null>> {
  const answer = await client.call('POST', `${accountUrl(address)}/IncomingPhoneNumbers.json`, {
    PhoneNumber: number,
    SmsUrl: inboundUrl,
    SmsMethod: 'POST',
    SmsFallbackUrl: inboundUrl,
    SmsFallbackMethod: 'POST',
  });
  if (!answer.ok) return problemOf(answer);
  if (answer.status >= 300) {
    const { code } = errorOf(answer.status, answer.json);
    return code !== null && gone.has(code) ? { ok: true, value: null } : problemOf(answer);
  }
  const bought = numberOf(answer.json);
  return bought
    ? { ok: true, value: bought }
    : { ok: false, problem: 'its response contains no number', isTemporary: true };
}

/** The number if the account has it; null if it does not. */
export async function findNumber(
  client: TwilioClient,
  address: TwilioAddress,
  number: string,
): Promise<ProviderResult<ProviderNumber | null>> {
  const answer = await client.call('GET', `${accountUrl(address)}/IncomingPhoneNumbers.json`, { PhoneNumber: number });
  if (!answer.ok || answer.status >= 300) return problemOf(answer);
  const listed = listedIn(answer.json, 'incoming_phone_numbers');
  if (!listed.ok) return listed;
  const found = listed.value.flatMap((each) => numberOf(each) ?? []);
  return { ok: true, value: found.find((each) => each.number === number) ?? null };
}

/** Gives a number back. A number that the account no longer has counts as given back. */
export async function releaseNumber(
  client: TwilioClient,
  address: TwilioAddress,
  sid: string,
): Promise<ProviderResult<null>> {
  const answer = await client.call('DELETE', `${accountUrl(address)}/IncomingPhoneNumbers/${sid}.json`);
  return answer.ok && (answer.status < 300 || answer.status === 404) ? { ok: true, value: null } : problemOf(answer);
}
