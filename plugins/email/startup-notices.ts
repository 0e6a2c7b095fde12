import type { StartFacts } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { submissionAddress } from './deployment/submission-address.js';
import { keyRecord } from './domains/records.js';
import { keyName } from './tables/domain-key.js';
import { readOwnKey, type OwnKey } from './deployment/own-key.js';
import { settings } from './deployment/settings.js';

/** In production, mail must be sent: a message in the local mailbox reaches nobody. */
export function startProblems({ production, settingsOf }: StartFacts): string[] {
  if (!production || settingsOf(settings).smtpUrl !== undefined) return [];
  return [
    'SVC_SMTP_URL is not set, so mail could not be sent. Set SVC_SMTP_URL=smtp://user:password@host:587, or leave email out of SVC_PRODUCTS.',
  ];
}

/** Where mail is sent to and from, and what is missing for it to arrive. */
export const startupNotices = (services: Services): string[] => [
  ...sendingNotices(services),
  ...receivingNotices(services),
  ...submissionNotices(services),
];

function submissionNotices({ deployment }: Services): string[] {
  const address = submissionAddress(deployment);
  const { inboundTlsCert, submissionPlain } = deployment.settingsOf(settings);
  if (!address) return [];
  const ports = [address.startTlsPort, address.tlsPort].filter((port) => port !== null).join(' and ');
  return [
    `submission of mail by SMTP on port ${ports}, with an API key as the password`,
    ...(inboundTlsCert === undefined && submissionPlain === '0' && deployment.production
      ? ['warning    SVC_INBOUND_TLS_CERT is not set: SMTP submission accepts keys only from this machine.']
      : []),
  ];
}

function receivingNotices({ deployment }: Services): string[] {
  const { inboundSmtpPort, inboundTlsCert, inboundSecret } = deployment.settingsOf(settings);
  const ways = [
    inboundSmtpPort === undefined ? [] : [`by SMTP on port ${inboundSmtpPort}`],
    inboundSecret === undefined ? [] : [`at ${deployment.baseUrl}/v1/inbound/ingest`],
  ].flat();
  return [
    ways.length === 0 ? [] : [`receiving  mail ${ways.join(' and ')}`],
    inboundSmtpPort !== undefined && inboundTlsCert === undefined && deployment.production
      ? ['warning    SVC_INBOUND_TLS_CERT is not set: mail arrives unencrypted, and some senders refuse to deliver it.']
      : [],
  ].flat();
}

function sendingNotices({ deployment }: Services): string[] {
  const { smtpUrl, mailDomain, mailReturnHost, mailSpfInclude, mailDkimKey, mailDkimSelector } =
    deployment.settingsOf(settings);
  const dkim = mailDkimKey === undefined ? [] : [dkimNotice(mailDomain, mailDkimSelector, readOwnKey(mailDkimKey))];
  if (smtpUrl === undefined) {
    const where = deployment.production ? 'in the state folder' : `at ${deployment.baseUrl}/dev/mailbox`;
    return [
      `mail       not sent, but kept ${where}. Set SVC_SMTP_URL=smtp://user:password@host:587 to send it.`,
      ...dkim,
    ];
  }
  const lines = [
    `mail       through ${new URL(smtpUrl).host}, from addresses under ${mailDomain}`,
    ...dkim,
    mailReturnHost === undefined
      ? 'warning    SVC_MAIL_RETURN_HOST is not set: bounces go to the senders’ addresses, and svc does not see them. See docs/delivery.md.'
      : `bounces    return to ${mailReturnHost}`,
    ...(mailReturnHost !== undefined && mailSpfInclude === undefined
      ? [
          'warning    SVC_MAIL_SPF_INCLUDE is not set: the return paths of sending domains have no SPF record. See docs/domains.md.',
        ]
      : []),
  ];
  return mailDomain === settings.mailDomain.defaultValue
    ? [
        ...lines,
        'warning    SVC_MAIL_DOMAIN is not set: receivers refuse mail from mail.localhost. Set it to your own domain.',
      ]
    : mailDkimKey === undefined
      ? [
          ...lines,
          `warning    SVC_MAIL_DKIM_KEY is not set: svc does not sign mail from ${mailDomain}, so this mail has no one-click unsubscribe. See docs/domains.md.`,
        ]
      : lines;
}

/** The record that receivers use to check the deployment’s own signatures. */
const dkimNotice = (domain: string, selector: string, { algorithm, publicKey }: OwnKey): string =>
  `mail       signed with the key whose TXT record is at ${keyName(selector, domain)}: ${keyRecord({ algorithm, publicKey })}`;
