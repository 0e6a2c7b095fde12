import type { Services } from '#core/kernel/services.js';
import { settings } from './settings.js';

/** Where mail goes, and what is missing for it to arrive. */
export function startupNotices({ deployment }: Services): string[] {
  const { smtpUrl, mailDomain } = deployment.settingsOf(settings);
  if (smtpUrl === undefined) {
    const where = deployment.production ? 'in the state folder' : `at ${deployment.baseUrl}/dev/mailbox`;
    return [
      `mail       nothing is sent: mail is kept ${where}. Set SVC_SMTP_URL=smtp://user:password@host:587 to send it.`,
    ];
  }
  const lines = [`mail       through ${new URL(smtpUrl).host}, from addresses under ${mailDomain}`];
  return mailDomain === settings.mailDomain.defaultValue
    ? [
        ...lines,
        'warning    SVC_MAIL_DOMAIN is not set: receivers refuse mail from mail.localhost. Set it to a domain of yours.',
      ]
    : lines;
}
