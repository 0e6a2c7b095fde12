import { inEachLanguage, type Translations } from '#core/kernel/language.js';
import type { EmailSystemTemplate, SmsSystemTemplate } from '#core/messaging/system-template.js';
import { noticeKinds, type MailTexts, type NoticeKind } from './kinds.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { pt } from './texts/pt.js';

const texts: Translations<MailTexts> = { en, de, fr, es, pt };

const inEach = <T>(read: (texts: MailTexts) => T): Translations<T> =>
  inEachLanguage((language) => read(texts[language]));

const code = { budget: 'signin', variables: ['code', 'minutes'], requiredVariables: ['code'] } as const;

/** The mail with a sign-in code. */
export const codeMail: EmailSystemTemplate = {
  name: 'auth.signin.code',
  channel: 'email',
  description: 'The one-time code of auth.signin.start.',
  ...code,
  locales: inEach((each) => each.code),
};

/** The mail with a magic link. */
export const linkMail: EmailSystemTemplate = {
  name: 'auth.signin.link',
  channel: 'email',
  description: 'The magic link of auth.signin.start.',
  budget: 'signin',
  variables: ['url', 'minutes'],
  requiredVariables: ['url'],
  locales: inEach((each) => each.link),
};

/** The mail with the code that proves an additional address. */
export const verifyAddressMail: EmailSystemTemplate = {
  name: 'auth.identity.verify',
  channel: 'email',
  description: 'The code that verifies an address which a signed-in user adds (auth.identity.add).',
  ...code,
  locales: inEach((each) => each.verifyAddress),
};

/** The text message with a sign-in code, or with the code that proves an additional number. */
export const codeText: SmsSystemTemplate = {
  name: 'auth.signin.code',
  channel: 'sms',
  description: 'The one-time code of auth.signin.start and auth.identity.add as a text message.',
  ...code,
  locales: inEach((each) => ({ body: each.sms })),
};

const descriptions: Readonly<Record<NoticeKind, string>> = {
  password_set: 'Security notice: a first password was set.',
  password_changed: 'Security notice: the password was changed.',
  password_removed: 'Security notice: the password was removed.',
  factor_activated: 'Security notice: a second factor was activated.',
  factor_replaced: 'Security notice: the second factor was replaced.',
  factor_removed: 'Security notice: the second factor was removed.',
  recovery_regenerated: 'Security notice: the recovery codes were replaced.',
  recovery_used: 'Security notice: a sign-in used a recovery code.',
  passkey_added: 'Security notice: a passkey was added.',
  passkey_removed: 'Security notice: a passkey was removed.',
  primary_changed: 'Security notice: the primary address or number changed. Also sent to the previous primary address.',
  identity_added: 'Security notice: an address, number or provider account was added.',
  identity_removed: 'Security notice: an address, number or provider account was removed.',
  new_device: 'Security notice: a sign-in from a new device.',
};

const noticeMail = (kind: NoticeKind): EmailSystemTemplate => ({
  name: `auth.notice.${kind}`,
  channel: 'email',
  description: descriptions[kind],
  budget: 'notice',
  variables: ['what', 'time', 'ip'],
  requiredVariables: [],
  locales: inEach(({ notices, facts, noticeFooter }) => {
    const { subject, body } = notices[kind];
    return { subject, heading: subject, body: `${body}\n\n${facts}`, footer: noticeFooter };
  }),
});

/** The mails of security notices, by kind. */
export const noticeMails: ReadonlyMap<NoticeKind, EmailSystemTemplate> = new Map(
  noticeKinds.map((kind) => [kind, noticeMail(kind)]),
);

/** Every message that auth sends on a project's behalf. */
export const signInTemplates = [codeMail, linkMail, verifyAddressMail, codeText, ...noticeMails.values()];
