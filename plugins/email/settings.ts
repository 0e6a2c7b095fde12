import { textSetting, urlSetting } from '#config/declare.js';

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const domain = new RegExp(`^${label}(\\.${label})+$`);

export const settings = {
  smtpUrl: urlSetting({
    variable: 'SVC_SMTP_URL',
    words: 'Mail server that takes outgoing mail: smtp://user:password@host:587, or smtps://…:465.',
    fallback: undefined,
    fallbackWords: 'mail is kept in the local mailbox at /dev/mailbox',
    protocols: ['smtp', 'smtps'],
  }),
  mailDomain: textSetting({
    variable: 'SVC_MAIL_DOMAIN',
    words: 'Domain under which each project has its own sending domain, <slug>.<domain>.',
    fallback: 'mail.localhost',
    read(text) {
      if (!domain.test(text))
        throw new Error(`must be a bare domain name in lower case such as mail.example.com, not "${text}"`);
      return text;
    },
  }),
} as const;
