import { urlSetting } from '#config/declare.js';

export const settings = {
  breachedPasswordsUrl: urlSetting({
    variable: 'SVC_BREACHED_PASSWORDS_URL',
    description:
      'Service that new passwords are looked up at, by the first five digits of their SHA-1: https://api.pwnedpasswords.com/range, or your own copy of it.',
    defaultValue: undefined,
    defaultText: 'only the list of common passwords that ships is used',
    protocols: ['https', 'http'],
  }),
} as const;
