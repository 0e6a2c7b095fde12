import type { PrepareContext } from '#core/kernel/context.js';
import { deploymentSettings } from '../../deployment/settings.js';
import { isCommonPassword } from './common.js';
import { askRange } from './range.js';

/**
 * Whether a password is known from breaches: by the bundled list, then by the service of SVC_BREACHED_PASSWORDS_URL if
 * one is set. If the service cannot be reached, only the list decides.
 * @param password in its normal form
 */
export async function isBreached(
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
