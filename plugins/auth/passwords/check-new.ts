import type { ReadContext, PrepareContext } from '#core/kernel/context.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { maxPasswordLength, normalizePassword, passwordLength } from './normalize.js';
import { deploymentSettings } from '../deployment/settings.js';
import { createHash } from 'node:crypto';
import type { HttpClient } from '#core/runtime/http-client/client.js';

/**
 * In UTF-16 units. NFKC turns at most four code points into one, so a longer text is also too long in that form. The
 * text is not normalized first, because that can turn one character into eighteen.
 */
const longestRead = 8 * maxPasswordLength;

type Fail = ReadContext<'password_too_short' | 'password_too_long' | 'password_breached'>['fail'];

/**
 * Checks a password that a call sets, in `prepare`. Lengths are counted in code points.
 * @throws password_too_short, password_too_long, password_breached
 */
export async function checkNewPassword(
  context: Pick<PrepareContext, 'deployment' | 'http' | 'log'> & { readonly fail: Fail },
  { minLength, checkBreached }: AuthSettingsValue['password'],
  password: string,
): Promise<void> {
  if (password.length > longestRead) throw context.fail.password_too_long({ limit: maxPasswordLength });
  const length = passwordLength(password);
  if (length < minLength) throw context.fail.password_too_short({ limit: minLength });
  if (length > maxPasswordLength) throw context.fail.password_too_long({ limit: maxPasswordLength });
  if (checkBreached && (await isBreached(context, normalizePassword(password)))) throw context.fail.password_breached();
}

/**
 * Whether a password is known from breaches: by the bundled list, then by the service of SVC_BREACHED_PASSWORDS_URL if
 * one is set. If the service cannot be reached, only the list decides.
 * @param password in its normal form
 */
async function isBreached(
  { deployment, http, log }: Pick<PrepareContext, 'deployment' | 'http' | 'log'>,
  password: string,
): Promise<boolean> {
  if (await isCommonPassword(password)) return true;
  const { breachedPasswordsUrl } = deployment.settingsOf(deploymentSettings);
  if (breachedPasswordsUrl === undefined) return false;
  const answer = await askRange(http, breachedPasswordsUrl, password);
  if ('known' in answer) return answer.known;
  log.warn(
    { problem: answer.problem },
    'the breached-password service could not be reached; only the built-in list was checked',
  );
  return false;
}

/** Bytes of each entry. With 18,000 entries, one in 60 million other passwords has the same five bytes. */
const width = 5;

let loaded: Promise<Buffer> | undefined;

/** 90 KB, loaded when the first new password is checked. */
const load = async (): Promise<Buffer> => {
  const { commonPasswords } = await import('./common.gen.js');
  return Buffer.from(commonPasswords, 'base64');
};

/** Whether a password is one of the 18,000 most common passwords of at least eight characters, ignoring case. */
async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  const list = await loaded;
  const wanted = createHash('sha1').update(password.toLowerCase()).digest().subarray(0, width);
  let [from, to] = [0, list.length / width];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const order = Buffer.compare(list.subarray(middle * width, (middle + 1) * width), wanted);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}

const timeoutMs = 1_500;
/** The answer contains about 1,000 lines of 40 bytes. */
const maxResponseBytes = 256 * 1024;

/** Whether the service knows the password, or why it could not be reached. */
type RangeAnswer = { readonly known: boolean } | { readonly problem: string };

/**
 * Asks a service with the interface of Have I Been Pwned's range API whether a password is known. The service receives
 * the first five hexadecimal digits of the password's SHA-1, which hundreds of others share, and answers with the rest
 * of each and the number of times it was seen. `Add-Padding` requests lines with a count of 0, so that the size of the
 * answer reveals nothing either.
 * @param url the address that the five digits are appended to
 */
async function askRange(http: HttpClient, url: string, password: string): Promise<RangeAnswer> {
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
