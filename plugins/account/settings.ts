import { textSetting } from '#config/declare.js';
import { plainName } from '#core/kernel/schema/plain-name.js';

/** A name that can be in a mail header and on a page: see `brandName` of themes. */
function nameOf(text: string): string {
  if (!/^[^\p{Cc}]{1,120}$/u.test(text) || text.trim() !== text)
    throw new Error('must have 1 to 120 characters, without control characters and without spaces at either end');
  try {
    return plainName('SVC_NAME', text);
  } catch {
    throw new Error('must not contain a web address');
  }
}

/** The settings of the deployment for accounts. */
export const deploymentSettings = {
  name: textSetting({
    variable: 'SVC_NAME',
    share: 'any',
    description:
      'The name of this deployment, for the members of its accounts: on their sign-in pages and emails, and in their authenticator apps.',
    defaultValue: undefined,
    defaultText: 'the name of the operator’s account',
    read: nameOf,
  }),
} as const;
