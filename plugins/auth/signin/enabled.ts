import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { signInTexts } from '../ports.js';
import type { AuthSettingsValue } from '../settings/resources.js';

type Asking = Pick<Context<never, 'method_disabled'>, 'fail'>;

/**
 * Refuses a method that is turned off in the environment's settings.
 * @throws method_disabled
 */
export function requireEnabled(
  { fail }: Asking,
  { methods }: Pick<AuthSettingsValue, 'methods'>,
  method: string,
): void {
  if (methods[method]?.enabled === false) throw fail.method_disabled({ method });
}

/**
 * Refuses texts that are turned off, or that could not be sent.
 * @throws method_disabled
 */
export async function requireTexts(
  context: Asking & Pick<Context, 'use'>,
  environment: Environment,
  settings: Pick<AuthSettingsValue, 'methods'>,
): Promise<void> {
  requireEnabled(context, settings, 'sms');
  if (!(await context.use(signInTexts).available(environment))) throw context.fail.method_disabled({ method: 'sms' });
}
