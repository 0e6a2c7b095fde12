import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns';
import { choiceSetting, integerSetting, listSetting, textSetting, urlSetting, whetherSet } from '#config/declare.js';
import { callbackSettings } from './callback-settings.js';
import { readRates } from './rates.js';
import { readOwnKey, type OwnKey } from './own-key.js';

/**
 * nodemailer's options that the query of SVC_SMTP_URL may set, besides the `tls.` options (docs/operating.md, Mail).
 */
const parameters = [
  'authMethod',
  'connectionTimeout',
  'debug',
  'dnsTimeout',
  'greetingTimeout',
  'ignoreTLS',
  'lmtp',
  'localAddress',
  'logger',
  'maxConnections',
  'maxMessages',
  'name',
  'opportunisticTLS',
  'proxy',
  'requireTLS',
  'secure',
  'servername',
  'socketTimeout',
  'transactionLog',
];

/**
 * Refuses parameters that nodemailer would ignore: with `?requireTls=true` mail would be sent unencrypted.
 * @throws Error that names the parameter, and the one that may have been meant
 */
function checkSmtpParameters(url: string): void {
  for (const name of new URL(url).searchParams.keys()) {
    if (parameters.includes(name) || /^tls\../.test(name)) continue;
    const meant = parameters.find((known) => known.toLowerCase() === name.toLowerCase());
    throw new Error(
      meant === undefined
        ? `has the unknown parameter "${name}"; it may have ${parameters.join(', ')} and tls.<option of Node’s tls.connect>`
        : `has the unknown parameter "${name}"; use ${meant}`,
    );
  }
}

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const domain = new RegExp(`^${label}(\\.${label})+$`);
/** Names of SPF records may have underscores. */
const spfDomain = new RegExp(`^(_?${label})(\\._?${label})+$`);

const selector = new RegExp(`^${label}(\\.${label})*$`);

function readHost(text: string): string {
  if (!domain.test(text)) throw new Error(`must be a host name in lower case such as mail.example.com, not "${text}"`);
  return text;
}

const keyName = ({ algorithm, publicKey }: OwnKey): string =>
  `${algorithm} key ${createHash('sha256').update(publicKey).digest('hex').slice(0, 12)}`;

export const settings = {
  ...callbackSettings,
  smtpUrl: urlSetting({
    variable: 'SVC_SMTP_URL',
    share: 'deployment',
    // Not user and password, which may change at any time.
    identity: (url) => (typeof url === 'string' ? new URL(url).hostname : null),
    description: 'Mail server for outgoing mail: smtp://user:password@host:587 or smtps://…:465.',
    defaultValue: undefined,
    defaultText: 'mail is kept in the local mailbox at /dev/mailbox',
    protocols: ['smtp', 'smtps'],
    check: checkSmtpParameters,
  }),
  mailDomain: textSetting({
    variable: 'SVC_MAIL_DOMAIN',
    share: 'deployment',
    description: 'Domain under which each project gets its own sending domain, `<slug>.<domain>`.',
    defaultValue: 'mail.localhost',
    recorded: true,
    read(text) {
      if (!domain.test(text))
        throw new Error(`must be a bare domain name in lower case such as mail.example.com, not "${text}"`);
      return text;
    },
  }),
  mailReturnHost: textSetting({
    variable: 'SVC_MAIL_RETURN_HOST',
    share: 'deployment',
    description:
      'Host that receives bounces. The return path of mail is at this host, or at `bounce.<domain>` of a sending domain whose MX record points to it.',
    defaultValue: undefined,
    defaultText: 'bounces go to the sender’s address and are not recorded',
    recorded: true,
    read: readHost,
  }),
  mailSpfInclude: textSetting({
    variable: 'SVC_MAIL_SPF_INCLUDE',
    share: 'deployment',
    description:
      'The mail relay’s SPF record, such as amazonses.com, which the SPF record on bounce.<domain> of sending domains includes.',
    defaultValue: undefined,
    recorded: true,
    read(text) {
      if (!spfDomain.test(text)) throw new Error(`must be a domain name such as _spf.example.com, not "${text}"`);
      return text;
    },
  }),
  inboundSecret: textSetting({
    variable: 'SVC_INBOUND_SECRET',
    share: 'deployment',
    identity: whetherSet,
    description:
      'Bearer token that a mail provider uses to deliver received mail to /v1/inbound/ingest; at least 16 characters.',
    defaultValue: undefined,
    defaultText: 'such deliveries are refused',
    read(text) {
      if (!/^[!-~]{16,}$/.test(text)) throw new Error('must have at least 16 characters, without spaces');
      return text;
    },
  }),
  imageMebibytes: integerSetting({
    variable: 'SVC_IMAGE_MEBIBYTES',
    share: 'deployment',
    description: 'How many MiB of pictures an environment may store for its templates and theme.',
    defaultValue: 1_024,
    minimum: 1,
    maximum: 1_048_576,
  }),
  inboundSmtpPort: integerSetting({
    variable: 'SVC_INBOUND_SMTP_PORT',
    share: 'node',
    description: 'Port on which svc receives mail by SMTP, on all addresses; 25 for mail from the internet.',
    defaultValue: undefined,
    defaultText: 'svc does not receive mail by SMTP',
    minimum: 0,
    maximum: 65_535,
  }),
  inboundTlsCert: textSetting({
    variable: 'SVC_INBOUND_TLS_CERT',
    share: 'node',
    description:
      'PEM file with the certificate chain of the SMTP receiver and of SMTP submission. It is reloaded when it changes.',
    defaultValue: undefined,
    defaultText: 'STARTTLS is not offered',
    conflict: ({ inboundTlsCert, inboundTlsKey }) =>
      (inboundTlsCert === undefined) === (inboundTlsKey === undefined)
        ? undefined
        : 'Set both SVC_INBOUND_TLS_CERT and SVC_INBOUND_TLS_KEY, or neither.',
  }),
  inboundTlsKey: textSetting({
    variable: 'SVC_INBOUND_TLS_KEY',
    share: 'node',
    description: 'PEM file with the private key of that certificate.',
    defaultValue: undefined,
  }),
  submissionPort: integerSetting({
    variable: 'SVC_SUBMISSION_PORT',
    share: 'node',
    description:
      'Port on which programs submit mail by SMTP with an API key, on all addresses; 587 by convention. STARTTLS uses SVC_INBOUND_TLS_CERT; without TLS it accepts keys only from loopback.',
    defaultValue: undefined,
    defaultText: 'mail is not accepted by SMTP submission',
    minimum: 0,
    maximum: 65_535,
  }),
  submissionsPort: integerSetting({
    variable: 'SVC_SUBMISSIONS_PORT',
    share: 'node',
    description: 'The same with TLS from the first byte; 465 by convention. It needs SVC_INBOUND_TLS_CERT.',
    defaultValue: undefined,
    defaultText: 'not offered',
    minimum: 0,
    maximum: 65_535,
    conflict: ({ submissionsPort, inboundTlsCert }) =>
      submissionsPort !== undefined && inboundTlsCert === undefined
        ? 'SVC_SUBMISSIONS_PORT needs a certificate: set SVC_INBOUND_TLS_CERT and SVC_INBOUND_TLS_KEY.'
        : undefined,
  }),
  submissionHost: textSetting({
    variable: 'SVC_SUBMISSION_HOST',
    share: 'deployment',
    description: 'Host name that programs connect to for SMTP submission, which the certificate names.',
    defaultValue: undefined,
    defaultText: 'the host of SVC_BASE_URL',
    read: readHost,
  }),
  submissionPlain: choiceSetting({
    variable: 'SVC_SUBMISSION_PLAIN',
    share: 'node',
    description:
      '1: SVC_SUBMISSION_PORT accepts keys without TLS from every address. Only behind a proxy that ends TLS.',
    defaultValue: '0',
    choices: ['0', '1'],
  }),
  submissionConnections: integerSetting({
    variable: 'SVC_SUBMISSION_CONNECTIONS',
    share: 'node',
    description: 'How many concurrent SMTP submission connections one IP address, and one key, may have.',
    defaultValue: 20,
    minimum: 1,
    maximum: 1_000,
  }),
  inboundConnectionsPerIp: integerSetting({
    variable: 'SVC_INBOUND_CONNECTIONS_PER_IP',
    share: 'node',
    description: 'How many concurrent connections one IP address may have to the SMTP receiver.',
    defaultValue: 10,
    minimum: 1,
    maximum: 1_000,
  }),
  inboundRetentionDays: integerSetting({
    variable: 'SVC_INBOUND_RETENTION_DAYS',
    share: 'deployment',
    description: 'How many days received mail is kept.',
    defaultValue: 400,
    minimum: 8,
    maximum: 36_500,
  }),
  automationRunRetentionDays: integerSetting({
    variable: 'SVC_AUTOMATION_RUN_RETENTION_DAYS',
    share: 'deployment',
    description: 'How many days an automation run is kept after it ends.',
    defaultValue: 400,
    minimum: 1,
    maximum: 36_500,
  }),
  mailInboundHost: textSetting({
    variable: 'SVC_MAIL_INBOUND_HOST',
    share: 'deployment',
    description:
      'Host that receives inbound mail: the MX records of sending domains with receiving enabled point to it.',
    defaultValue: undefined,
    defaultText: 'domains cannot receive mail',
    recorded: true,
    read: readHost,
  }),
  mailDkimKey: textSetting({
    variable: 'SVC_MAIL_DKIM_KEY',
    share: 'deployment',
    // Mail signed with another key than the published one is refused. The public key is not a secret.
    identity: (text) => (typeof text === 'string' ? keyName(readOwnKey(text)) : null),
    description:
      'Private key that signs mail from SVC_MAIL_DOMAIN and the projects’ own domains (DKIM): a PEM file, or its content. RSA or Ed25519. The DNS record to publish is printed at startup.',
    defaultValue: undefined,
    defaultText: 'svc does not sign this mail',
    read(text) {
      readOwnKey(text);
      return text;
    },
  }),
  mailDkimSelector: textSetting({
    variable: 'SVC_MAIL_DKIM_SELECTOR',
    share: 'deployment',
    description: 'Selector of SVC_MAIL_DKIM_KEY: its record is at <selector>._domainkey.<SVC_MAIL_DOMAIN>.',
    defaultValue: 'svc',
    read(text) {
      if (!selector.test(text)) throw new Error(`must be a name of letters, digits, hyphens and dots, not "${text}"`);
      return text;
    },
  }),
  mailDkimUnsigned: listSetting({
    variable: 'SVC_MAIL_DKIM_UNSIGNED',
    share: 'deployment',
    description:
      'Comma-separated headers that are not signed because the mail relay rewrites them: date,message-id for Amazon SES.',
    defaultValue: [],
    defaultText: 'none',
    each(name) {
      if (!/^[a-z0-9-]+$/.test(name) || /^(from|list-unsubscribe|list-unsubscribe-post)$/.test(name))
        throw new Error(`must name headers in lower case, other than from and list-unsubscribe, not "${name}"`);
    },
  }),
  mailRate: integerSetting({
    variable: 'SVC_MAIL_RATE',
    share: 'node',
    description:
      'The most recipients per second that each worker process sends mail to. SVC_MAIL_RATES_FILE can change it without a restart.',
    defaultValue: undefined,
    defaultText: 'no limit',
    minimum: 1,
    maximum: 100_000,
  }),
  mailRatesFile: textSetting({
    variable: 'SVC_MAIL_RATES_FILE',
    share: 'node',
    description:
      'JSON file with limits for each worker process, reloaded within 5 s when it changes: {"rate": 100, "domains": {"gmail.com": 20, "*": 50}}, in recipients per second, in total and by the domain of their address (* for each other domain).',
    defaultValue: undefined,
    defaultText: 'no limits per domain',
    read(path) {
      readRates(path);
      return path;
    },
  }),
  dnsServers: listSetting({
    variable: 'SVC_DNS_SERVERS',
    share: 'node',
    description:
      'Comma-separated name servers for looking up mail’s DNS records: IP addresses with or without a port, such as 192.0.2.53, 127.0.0.1:5353, [2001:db8::53]:53.',
    defaultValue: [],
    defaultText: 'the machine’s name servers',
    each(server) {
      try {
        new Resolver().setServers([server]);
      } catch {
        throw new Error(`must name servers by their IP address, with or without a port, not "${server}"`);
      }
    },
  }),
  relayHeaders: listSetting({
    variable: 'SVC_MAIL_RELAY_HEADERS',
    share: 'any',
    description:
      'Comma-separated headers that email.send accepts although mail relays treat them as commands, such as X-PM-Message-Stream. Callers may set them on any message.',
    defaultValue: [],
    defaultText: 'none',
    each(name) {
      if (!/^x-[!-9;-~]+$/i.test(name)) throw new Error(`must name headers that begin with X-, not "${name}"`);
    },
  }),
} as const;
