import { readFile } from 'node:fs/promises';
import type { Environment } from '#core/kernel/caller/caller.js';
import { firstRunPath } from '#core/platform/first-run.js';
import { dashboard } from '#plugins/account/ports.js';
import { at } from '#test/support/json.js';
import { apiAt, type Api } from '#test/support/api.js';
import type { TestPlatform } from '#test/support/platform.js';
import { signedIn, type SignedIn } from '#test/auth/support.js';

/** The environment that dashboard sessions are issued in. */
export async function dashboardOf({ running }: TestPlatform): Promise<Environment> {
  const found = await running.services.read('Test', ({ use }) => use(dashboard).environment());
  if (!found) throw new Error('There is no dashboard.');
  return found;
}

/** Signs somebody in to the dashboard, without going through a sign-in. */
export const dashboardSession = async (
  platform: TestPlatform,
  email: string,
  facts: { mfa?: boolean } = {},
): Promise<SignedIn> => signedIn(platform, await dashboardOf(platform), { email, ...facts });

/** What names the environment of a call. */
export const inEnvironment = ({ id }: Pick<Environment, 'id'>): { headers: Record<string, string> } => ({
  headers: { 'Svc-Environment': id },
});

/** Calls with a dashboard session. */
export const withSession = (platform: TestPlatform, { accessToken }: Pick<SignedIn, 'accessToken'>): Api =>
  apiAt(
    () => platform.running.address,
    () => accessToken,
    () => platform.running.registry,
  );

/** Calls with the first live key of the operator's account, after a restart too. */
export async function operatorOf({ running }: TestPlatform): Promise<Api> {
  const path = firstRunPath(running.services.deployment.settings.stateDir);
  const secret = at(JSON.parse(await readFile(path, 'utf8')), 'keys', 'live', 'secret');
  return apiAt(
    () => running.address,
    () => String(secret),
    () => running.registry,
  );
}
