import { verify, X509Certificate } from 'node:crypto';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { HttpClient } from '#core/runtime/http-client/client.js';
import { textAt } from '#core/runtime/json.js';
import { badSignature } from './adapter.js';

/**
 * Where Amazon serves certificates and accepts confirmations. Other addresses that a message names are never requested.
 */
const amazonHost = /^sns\.[a-z0-9-]{3,40}\.amazonaws\.com(?:\.cn)?$/;
const certificatePath = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/;

const amazonUrl = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAmazons = url?.protocol === 'https:' && url.port === '' && amazonHost.test(url.hostname);
  return isAmazons && url.username === '' && url.password === '' ? url : null;
};

/** The signed fields, in this order; absent fields are left out. */
const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;
type SnsType = keyof typeof signedFields;

export const isSnsType = (type: string | null): type is SnsType => type !== null && Object.hasOwn(signedFields, type);

/** Signature versions, and their digests. */
const digests: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256' };

/** Certificates by their URL, for each HTTP client. Amazon changes them about once a year. */
const known = new WeakMap<HttpClient, Map<string, X509Certificate>>();
const mostKnown = 20;

/**
 * Verifies that Amazon SNS sent a message. The caller must check its topic: anybody can create one.
 * @throws callback_rejected if it did not; unavailable if its certificate cannot be fetched now
 */
export async function verifySns(message: unknown, type: SnsType, http: HttpClient, now: Date): Promise<void> {
  const digest = digests[textAt(message, 'SignatureVersion') ?? ''];
  const url = amazonUrl(textAt(message, 'SigningCertURL') ?? '');
  if (digest === undefined || !url || !certificatePath.test(url.pathname) || url.search !== '')
    throw badSignature('it does not have an Amazon SNS signature', 'SVC_MAIL_SES_TOPICS');
  const certificate = await certificateAt(url.href, http);
  const isValid = new Date(certificate.validFrom) <= now && now <= new Date(certificate.validTo);
  const signed = signedFields[type]
    .flatMap((field) => {
      const value = textAt(message, field);
      return value === null ? [] : [`${field}\n${value}\n`];
    })
    .join('');
  const signature = Buffer.from(textAt(message, 'Signature') ?? '', 'base64');
  if (!isValid || !verify(digest, Buffer.from(signed), certificate.publicKey, signature))
    throw badSignature('the signature is wrong', 'SVC_MAIL_SES_TOPICS');
}

async function certificateAt(url: string, http: HttpClient): Promise<X509Certificate> {
  const cached = known.get(http) ?? new Map<string, X509Certificate>();
  known.set(http, cached);
  const found = cached.get(url);
  if (found) return found;
  const answer = await http.request({ method: 'GET', url, headers: {} });
  const certificate = answer.ok && answer.status === 200 ? parseCertificate(answer.body) : undefined;
  if (!certificate) throw refusalOf.unavailable({ problem: 'the Amazon SNS certificate could not be fetched' });
  if (cached.size >= mostKnown) cached.clear();
  cached.set(url, certificate);
  return certificate;
}

function parseCertificate(pem: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/**
 * Confirms the subscription of a topic. Its message must have been verified.
 * @throws callback_rejected if its URL is not Amazon's; unavailable if Amazon does not answer, so that it sends the
 * request again
 */
export async function confirmSubscription(message: unknown, http: HttpClient): Promise<void> {
  const url = amazonUrl(textAt(message, 'SubscribeURL') ?? '');
  if (!url) throw badSignature('its SubscribeURL is not an Amazon SNS address', 'SVC_MAIL_SES_TOPICS');
  const answer = await http.request({ method: 'GET', url: url.href, headers: {} });
  if (!answer.ok || answer.status !== 200)
    throw refusalOf.unavailable({ problem: 'Amazon SNS did not accept the confirmation of the subscription' });
}
