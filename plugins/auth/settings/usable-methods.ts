import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context, Reading } from '#core/kernel/context.js';
import { signInTexts } from '../ports.js';
import { oauthApps } from '../tables/oauth-app.js';
import type { AuthSettingsValue, BuiltInMethod } from './resources.js';

/** The ways to sign in that are enabled and available. */
interface UsableMethods extends Readonly<Record<BuiltInMethod, boolean>> {
  /** The enabled providers, by name. */
  readonly oauth: readonly { provider: string; name: string }[];
}

/**
 * Determines how users of an environment can sign in: what its settings enable, without what this deployment cannot
 * deliver (mail if the email product is off, texts that could not be sent) and without providers that are not
 * configured.
 */
export async function usableMethods(
  { db, use, deployment }: Reading,
  environment: Environment,
  { methods }: Pick<AuthSettingsValue, 'methods'>,
): Promise<UsableMethods> {
  const isEnabled = (name: string): boolean => methods[name]?.enabled !== false;
  const hasMail = deployment.products.includes('email');
  const apps = await db.find(oauthApps, { environmentId: environment.id, enabled: true });
  return {
    code: hasMail && isEnabled('code'),
    link: hasMail && isEnabled('link'),
    password: isEnabled('password'),
    passkey: isEnabled('passkey'),
    sms: isEnabled('sms') && (await use(signInTexts).available(environment)),
    oauth: apps
      .filter(({ provider }) => isEnabled(provider))
      .map(({ provider, name }) => ({ provider, name }))
      .sort((a, b) => (a.provider < b.provider ? -1 : 1)),
  };
}

/** Whether anyone can sign in at all. */
const canSignIn = ({ oauth, ...methods }: UsableMethods): boolean =>
  oauth.length > 0 || Object.values(methods).includes(true);

/**
 * Refuses settings under which nobody could sign in.
 * @throws no_usable_signin_method
 */
export async function requireUsableMethod(
  context: Pick<Context<never, 'no_usable_signin_method'>, 'db' | 'use' | 'deployment' | 'fail'>,
  environment: Environment,
  settings: Pick<AuthSettingsValue, 'methods'>,
): Promise<void> {
  if (canSignIn(await usableMethods(context, environment, settings))) return;
  throw context.fail.no_usable_signin_method({
    problem: 'every sign-in method of the environment would be off or unavailable',
    nextStep:
      'Leave one on with auth.settings.set (methods.code, methods.password or methods.passkey), or configure a provider first.',
  });
}
