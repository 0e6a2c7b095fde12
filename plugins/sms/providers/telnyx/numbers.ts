import { listAt, textAt } from '#core/runtime/json.js';
import type { Capability } from '../../tables/number.js';
import type { TelnyxAddress } from '../../deployment/addresses.js';
import type { ProviderNumber, ProviderResult, WantedNumber } from '../provider.js';
import { listedIn } from '../api-call.js';
import { problemOf, type TelnyxClient } from './client.js';

/** Available numbers. */
export async function searchNumbers(
  client: TelnyxClient,
  { country, areaCode, number, capabilities }: WantedNumber,
): Promise<ProviderResult<readonly ProviderNumber[]>> {
  const query = new URLSearchParams({ 'filter[country_code]': country, 'filter[limit]': '20' });
  for (const feature of new Set(['sms', ...capabilities])) query.append('filter[features][]', feature);
  if (areaCode !== undefined) query.set('filter[national_destination_code]', areaCode);
  if (number !== undefined) query.set('filter[phone_number][contains]', number.slice(1));
  const answer = await client.call('GET', `/available_phone_numbers?${query.toString()}`);
  if (!answer.ok || answer.status >= 300) return problemOf(answer);
  const found = listAt(answer.json, 'data').flatMap((each) => numberOf(each, false) ?? []);
  return { ok: true, value: found.filter((each) => number === undefined || each.number === number) };
}

/** @param isOurs whether its id is the id of a number of the account */
function numberOf(json: unknown, isOurs: boolean): ProviderNumber | null {
  const number = textAt(json, 'phone_number');
  if (number === null) return null;
  const features = new Set(listAt(json, 'features').map((feature) => textAt(feature, 'name')));
  const capabilities: Capability[] = isOurs || !features.has('mms') ? ['sms'] : ['sms', 'mms'];
  return { number, capabilities, providerId: isOurs ? textAt(json, 'id') : null };
}

/**
 * Orders exactly this number, for the deployment's messaging profile.
 * @returns null if it is no longer available
 */
export async function buyNumber(
  client: TelnyxClient,
  { messagingProfile }: TelnyxAddress,
  number: string,
): Promise<ProviderResult<ProviderNumber | null>> {
  const answer = await client.call('POST', '/number_orders', {
    phone_numbers: [{ phone_number: number }],
    messaging_profile_id: messagingProfile,
    customer_reference: `svc ${number}`,
  });
  if (!answer.ok) return problemOf(answer);
  // 409, 422: another account has ordered it, or nobody can have it.
  if (answer.status === 409 || answer.status === 422) return { ok: true, value: null };
  if (answer.status >= 300) return problemOf(answer);
  const status = textAt(answer.json, 'data', 'status');
  if (status === 'failure') return { ok: true, value: null };
  const found = await findNumber(client, number);
  if (!found.ok || found.value) return found;
  return { ok: false, problem: `the order for ${number} is ${status ?? 'undecided'}`, isTemporary: true };
}

/** The number if the account has it; null if it does not. */
export async function findNumber(client: TelnyxClient, number: string): Promise<ProviderResult<ProviderNumber | null>> {
  // With its plus sign nothing would be found.
  const query = new URLSearchParams({ 'filter[phone_number]': number.slice(1) });
  const answer = await client.call('GET', `/phone_numbers?${query.toString()}`);
  if (!answer.ok || answer.status >= 300) return problemOf(answer);
  const listed = listedIn(answer.json, 'data');
  if (!listed.ok) return listed;
  const found = listed.value.flatMap((each) => numberOf(each, true) ?? []);
  return { ok: true, value: found.find((each) => each.number === number) ?? null };
}

/** Gives a number back. A number that the account no longer has counts as given back. */
export async function releaseNumber(client: TelnyxClient, id: string): Promise<ProviderResult<null>> {
  const answer = await client.call('DELETE', `/phone_numbers/${encodeURIComponent(id)}`);
  return answer.ok && (answer.status < 300 || answer.status === 404) ? { ok: true, value: null } : problemOf(answer);
}
