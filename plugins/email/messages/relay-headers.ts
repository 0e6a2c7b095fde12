/*
 * Headers that mail relays interpret as commands: to copy the mail to additional addresses, to replace its content, to
 * sign it differently or to count it elsewhere. They would reach people despite consent and suppressions.
 */

/** Beginnings of the names, in lower case. */
const prefixes = [
  // Relay services
  ...['x-amz-', 'x-ses-'], // Amazon SES
  ...['x-brevo-', 'x-mailin-', 'x-sib-'], // Brevo
  'x-clab-', // Contactlab
  ...['x-elastic', 'x-postback'], // Elastic Email
  'x-emailit-',
  ...['x-ib-', 'x-infobip-'],
  'x-lettermint-',
  ...['x-mc-', 'x-mandrill', 'x-mailchimp-'], // Mailchimp Transactional
  'x-mailersend-',
  'x-mailgun-',
  ...['x-mj-', 'x-mailjet-'],
  ...['x-mt-', 'x-mailtrap-'],
  ...['x-apiheader', 'x-netcore-', 'x-pepipost-'], // Netcore
  ...['x-pm-', 'x-postmark-'],
  'x-resend-',
  'x-scaleway-',
  ...['x-sg-', 'x-sendgrid-', 'x-smtpapi'], // SendGrid, and services with its interface
  'x-smtp2go-',
  'x-smtpeter-',
  ...['x-socketlabs-', 'x-xsmailingid', 'x-xsmessageid'],
  ...['x-msfbl', 'x-msys-', 'x-sparkpost-'], // SparkPost, Momentum
  ...['x-auth-', 'x-transactional-'], // EmailDelivery.com
  ...['x-zepto', 'x-zoho-'],
  // Mail servers
  ...['x-dkim-options', 'x-envid', 'x-pmta-', 'x-virtual-mta', 'x-vmta'], // PowerMTA
  'x-greenarrow-',
  'x-kumo', // KumoMTA
  ...['x-forefront-', 'x-microsoft-antispam', 'x-ms-', 'x-exchange-'], // Exchange
  ...['x-gm-', 'x-google-'],
  'x-envelope-',
  'x-resent-',
];

/**
 * Whole names, in lower case: most are treated as the standard header without `X-`; PowerMTA and KumoMTA read the last
 * two.
 */
const names = new Set(
  [
    ...[
      'apparently-to',
      'bcc',
      'cc',
      'delivered-to',
      'forward-to',
      'forwarded-to',
      'original-to',
      'rcpt-to',
      'receiver',
    ],
    ...['recipient', 'recipients', 'redirect-to', 'to'],
    ...['errors-to', 'from', 'mail-from', 'original-from', 'reply-to', 'return-path', 'sender'],
    ...['chat-disposition-notification-to', 'confirm-reading-to', 'disposition-notification-to', 'receipt-to'],
    ...['return-receipt-to', 'job', 'tenant'],
  ].map((name) => `x-${name}`),
);

/**
 * @param allowed the names that the operator allows, in any case
 * @returns the problem with a header that mail relays interpret as a command, as the end of a sentence about it; null
 * if there is none
 */
export function relayHeaderProblem(name: string, allowed: readonly string[]): string | null {
  const lower = name.toLowerCase();
  if (allowed.some((each) => each.toLowerCase() === lower)) return null;
  return names.has(lower) || prefixes.some((prefix) => lower.startsWith(prefix))
    ? 'is not allowed, because mail relays treat it as a command; the operator can allow it with SVC_MAIL_RELAY_HEADERS'
    : null;
}
