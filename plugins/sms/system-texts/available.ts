import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { sendingState } from '../messages/sending-state.js';
import { deploymentSettings } from '../deployment/settings.js';

/**
 * Whether a system text could reach somebody: over a provider, from a number, under a registration if one is required;
 * or at /dev/phone, which exists if the server is not public.
 */
export async function canSendTexts(
  { db, deployment }: Pick<FullContext, 'db' | 'deployment'>,
  environment: Environment,
): Promise<boolean> {
  const reachesPhones = deployment.settingsOf(deploymentSettings).smsUrl !== undefined;
  if (environment.kind === 'test') return !deployment.production;
  if (!reachesPhones && deployment.production) return false;
  return (await sendingState({ db, deployment }, environment)).problem === null;
}
