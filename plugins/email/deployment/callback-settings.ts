import { createPublicKey, type KeyObject } from 'node:crypto';
import { listSetting, textSetting, whetherSet } from '#config/declare.js';

const topicArn = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

/**
 * The public key of SendGrid's signed event webhook.
 * @param base64 as its console shows it
 * @throws if it is not a key
 */
export function sendgridKey(base64: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ec') throw new Error('The key is not an ECDSA key.');
  return key;
}

/**
 * The settings that authenticate the callbacks of mail providers. If its setting is missing, a provider's callbacks are
 * refused.
 */
export const callbackSettings = {
  mailCallbackSecret: textSetting({
    variable: 'SVC_MAIL_CALLBACK_SECRET',
    share: 'deployment',
    identity: whetherSet,
    description:
      'Shared secret for /v1/callbacks/email, used by Postmark, Brevo and bounces sent as message/rfc822: a bearer token, or the HTTP Basic password.',
    defaultValue: undefined,
    defaultText: 'their callbacks are refused',
    read(text) {
      if (text.length < 16) throw new Error('must have at least 16 characters');
      return text;
    },
  }),
  sesTopics: listSetting({
    variable: 'SVC_MAIL_SES_TOPICS',
    share: 'deployment',
    description: 'Comma-separated ARNs of the Amazon SNS topics that Amazon SES reports to.',
    defaultValue: [],
    defaultText: 'callbacks from Amazon SES are refused',
    each(arn) {
      if (!topicArn.test(arn))
        throw new Error(`must name topics such as arn:aws:sns:eu-west-1:123456789012:bounces, not "${arn}"`);
    },
  }),
  sendgridKey: textSetting({
    variable: 'SVC_MAIL_SENDGRID_KEY',
    share: 'deployment',
    identity: whetherSet,
    description: 'Verification key of SendGrid’s signed event webhook, as shown in its console.',
    defaultValue: undefined,
    defaultText: 'callbacks from SendGrid are refused',
    read(text) {
      try {
        sendgridKey(text);
      } catch {
        throw new Error('must be the verification key that SendGrid shows: base64 of an ECDSA public key');
      }
      return text;
    },
  }),
  mailgunKey: textSetting({
    variable: 'SVC_MAIL_MAILGUN_KEY',
    share: 'deployment',
    identity: whetherSet,
    description: 'HTTP webhook signing key of Mailgun.',
    defaultValue: undefined,
    defaultText: 'callbacks from Mailgun are refused',
  }),
} as const;
