import { createHash } from 'node:crypto';
import type { HttpClient } from '#core/runtime/http-client/client.js';

const timeoutMs = 1_500;
/** The answer contains about 1,000 lines of 40 bytes. */
const maxResponseBytes = 256 * 1024;

/** Whether the service knows the password, or why it could not be reached. */
export type RangeAnswer = { readonly known: boolean } | { readonly problem: string };

/**
 * Asks a service with the interface of Have I Been Pwned's range API whether a password is known. The service receives
 * the first five hexadecimal digits of the password's SHA-1, which hundreds of others share, and answers with the rest
 * of each and the number of times it was seen. `Add-Padding` requests lines with a count of 0, so that the size of the
 * answer reveals nothing either.
 * @param url the address that the five digits are appended to
 */
export async function askRange(http: HttpClient, url: string, password: string): Promise<RangeAnswer> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  const answer = await http.request({
    method: 'GET',
    url: `${url.replace(/\/$/, '')}/${digest.slice(0, 5)}`,
    headers: { 'add-padding': 'true', 'user-agent': 'svc' },
    http: url.startsWith('http://'),
    timeoutMs,
    maxResponseBytes,
    pool: 'breached-passwords',
  });
  if (!answer.ok) return { problem: answer.error.message };
  if (answer.status !== 200) return { problem: `It returned ${answer.status}.` };
  const rest = digest.slice(5);
  const lines = answer.body.toString('latin1').split(/\r?\n/);
  return { known: lines.some((line) => line.toUpperCase().startsWith(`${rest}:`) && !/:0+\s*$/.test(line)) };
}
