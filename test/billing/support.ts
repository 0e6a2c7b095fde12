import { apiAt, type Api } from '#test/support/api.js';
import type { TestPlatform } from '#test/support/platform.js';

/** The first live secret key of the operator's account. */
export function operatorKey({ running }: TestPlatform): string {
  const secret = running.firstRun?.keys.live.secret;
  if (secret === undefined) throw new Error('The platform was restarted: its first keys are in no answer any more.');
  return secret;
}

/** Calls as the deployment's operator. */
export const operatorOf = (platform: TestPlatform): Api =>
  apiAt(
    () => platform.running.address,
    () => operatorKey(platform),
    () => platform.running.registry,
  );
