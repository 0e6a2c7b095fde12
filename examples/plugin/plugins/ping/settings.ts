import { integerSetting, textSetting, urlSetting, whetherSet } from '#config/declare.js';

export const settings = {
  pingSecret: textSetting({
    variable: 'SVC_PING_SECRET',
    share: 'deployment',
    identity: whetherSet,
    description: 'Shared secret of callers of /v1/ping/word.',
    defaultValue: undefined,
    defaultText: 'callbacks are refused',
  }),
  pingPort: integerSetting({
    variable: 'SVC_PING_PORT',
    share: 'node',
    description: 'Port of the echo server on this machine.',
    defaultValue: undefined,
    minimum: 1,
    maximum: 65_535,
  }),
  pingForwardUrl: urlSetting({
    variable: 'SVC_PING_FORWARD_URL',
    share: 'deployment',
    description: 'Address that each added word is sent to, as JSON.',
    protocols: ['http', 'https'],
    defaultValue: undefined,
    defaultText: 'words are not forwarded',
  }),
} as const;
