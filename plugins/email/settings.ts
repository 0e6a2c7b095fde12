import { listSetting, textSetting, urlSetting } from '#config/declare.js';

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const domain = new RegExp(`^${label}(\\.${label})+$`);

export const settings = {
  smtpUrl: urlSetting({
    variable: 'SVC_SMTP_URL',
    description: 'Mail server for outgoing mail: smtp://user:password@host:587 or smtps://…:465.',
    defaultValue: undefined,
    defaultText: 'mail is kept in the local mailbox at /dev/mailbox',
    protocols: ['smtp', 'smtps'],
  }),
  mailDomain: textSetting({
    variable: 'SVC_MAIL_DOMAIN',
    description: 'Domain under which each project has its own sending domain, `<slug>.<domain>`.',
    defaultValue: 'mail.localhost',
    read(text) {
      if (!domain.test(text))
        throw new Error(`must be a bare domain name in lower case such as mail.example.com, not "${text}"`);
      return text;
    },
  }),
  relayHeaders: listSetting({
    variable: 'SVC_MAIL_RELAY_HEADERS',
    description:
      'Comma-separated headers that email.send accepts although mail relays take them as commands, such as X-PM-Message-Stream. Callers may set them on every message.',
    defaultValue: [],
    defaultText: 'none',
    each(name) {
      if (!/^x-[!-9;-~]+$/i.test(name)) throw new Error(`must name headers that begin with X-, not "${name}"`);
    },
  }),
} as const;
