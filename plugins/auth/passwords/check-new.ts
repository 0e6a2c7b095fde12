import type { ReadContext, PrepareContext } from '#core/kernel/context.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { isBreached } from './breached/breached.js';
import { maxPasswordLength, normalizePassword, passwordLength } from './normalize.js';

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
