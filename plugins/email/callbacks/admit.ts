import type { CallbackRequest } from '#core/kernel/callback.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../deployment/settings.js';
import { badSignature, notConfigured } from './adapter.js';
import { signatureHeader } from './sendgrid.js';
import { snsTopicHeader, snsTypeHeader } from './ses.js';
import { requireSharedSecret } from './shared-secret.js';

type Headers = Pick<CallbackRequest, 'headers'>;

/** Whether a callback contains a bounce mail that a mail server forwards. */
export const isMail = ({ headers }: Headers): boolean =>
  /^message\/(?:rfc822|global)\b/i.test(headers['content-type'] ?? '');

/**
 * Refuses a callback by its headers if no configured provider can have sent it, before its body is read. The signatures
 * of Amazon, SendGrid and Mailgun cover the body, so a callback that looks like theirs is read if they are configured.
 * @throws callback_rejected
 */
export function admit(request: Headers, services: Services): void {
  const { headers } = request;
  const { sesTopics, sendgridKey, mailgunKey } = services.deployment.settingsOf(settings);
  if (isMail(request)) {
    requireSharedSecret(request, services);
    return;
  }
  if (headers[snsTypeHeader] !== undefined) {
    if (sesTopics.length === 0) throw notConfigured('SVC_MAIL_SES_TOPICS');
    const topic = headers[snsTopicHeader];
    if (topic !== undefined && !sesTopics.includes(topic))
      throw badSignature('the SNS topic is not in SVC_MAIL_SES_TOPICS', 'SVC_MAIL_SES_TOPICS');
    return;
  }
  if (headers[signatureHeader] !== undefined) {
    if (sendgridKey === undefined) throw notConfigured('SVC_MAIL_SENDGRID_KEY');
    return;
  }
  if (mailgunKey !== undefined) return;
  if (headers['authorization'] !== undefined) {
    requireSharedSecret(request, services);
    return;
  }
  throw refusalOf.callback_rejected({
    problem: 'it has neither the shared secret nor the signature of a configured provider',
    nextStep:
      'Postmark, Brevo and mail servers send SVC_MAIL_CALLBACK_SECRET; Mailgun signs with SVC_MAIL_MAILGUN_KEY. Set the one that your provider needs; see docs/delivery.md.',
  });
}
