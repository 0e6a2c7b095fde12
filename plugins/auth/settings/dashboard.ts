import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { WorkerServices } from '#core/kernel/services.js';
import { dashboard } from '#plugins/account/ports.js';
import { defaultSettings, type AuthSettingsValue } from './resources.js';
import { lockSettings, storeSettings } from './store.js';

/* The environment that the members of all accounts sign in to, and what its settings must keep possible. */

type Reader = Pick<Context, 'use' | 'deployment'>;

/**
 * An environment's defaults. Sign-ins to the dashboard return to pages of this server, such as an account's invitation,
 * and organizations do not exist (organizations/enabled.ts).
 */
export async function defaultsOf({ use, deployment }: Reader, environment: Environment): Promise<AuthSettingsValue> {
  const isDashboard = await use(dashboard).includes(environment);
  return isDashboard ? ofDashboard({ ...defaultSettings, redirectUrls: [deployment.baseUrl] }) : defaultSettings;
}

const ofDashboard = (settings: AuthSettingsValue): AuthSettingsValue => ({
  ...settings,
  organizations: { ...settings.organizations, enabled: false },
});

/**
 * Allows sign-ins to the dashboard to return to this server, whose address may have changed since the last start, and
 * shows that organizations are off there.
 */
export async function prepareDashboard({ transaction, deployment }: WorkerServices): Promise<void> {
  const { baseUrl } = deployment;
  await transaction('Start', async (context) => {
    const environment = await context.use(dashboard).environment();
    if (!environment) return;
    const settings = await lockSettings(context, environment);
    const isAllowed = settings.redirectUrls.includes(baseUrl);
    if (isAllowed && !settings.organizations.enabled) return;
    const redirectUrls = isAllowed ? settings.redirectUrls : [...settings.redirectUrls, baseUrl].slice(-100);
    await storeSettings(context.db, environment.id, ofDashboard({ ...settings, redirectUrls }), context.clock.now());
  });
}

/**
 * Refuses settings of the dashboard that would lock members out. Members sign in with their address, and so do invited
 * people who are not users yet; passwords, passkeys and providers have to be set up first. It also refuses
 * organizations.
 * @throws no_usable_signin_method, invalid_input
 */
export async function requireDashboardSettings(
  { use, fail }: Pick<Context<never, 'no_usable_signin_method'>, 'use' | 'fail'>,
  environment: Environment,
  { methods, signup, organizations }: Pick<AuthSettingsValue, 'methods' | 'signup' | 'organizations'>,
): Promise<void> {
  if (!(await use(dashboard).includes(environment))) return;
  if (organizations.enabled)
    throw invalidField('organizations.enabled', 'must be false where the members of all accounts sign in');
  if (methods['code']?.enabled === false && methods['link']?.enabled === false)
    throw fail.no_usable_signin_method({
      problem: 'members who have only their address could not sign in to the dashboard',
      nextStep: 'Leave methods.code or methods.link on.',
    });
  const { allow, allowedDomains, blockedDomains } = signup;
  if (allow !== 'anyone' || allowedDomains.length > 0 || blockedDomains.length > 0)
    throw fail.no_usable_signin_method({
      problem: 'members and invited people who have never signed in could not sign in to the dashboard',
      nextStep: 'Leave signup unchanged. account.member.invite decides who may act in an account.',
    });
}
