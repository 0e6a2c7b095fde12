/* The settings of apps that send by SMTP, to copy; docs/connect.md explains them. */

/** Where svc takes mail, as email.sender.get says. */
interface Smtp {
  readonly host: string;
  readonly startTlsPort: number | null;
  readonly tlsPort: number | null;
}

export interface App {
  readonly name: string;
  /** Lines of its configuration, or the values of its form. */
  readonly settings: (smtp: Smtp, from: string) => readonly string[];
}

const password = '<secret key>';

/** The port that most apps call “SSL”, or else the one with STARTTLS. */
const portOf = ({ tlsPort, startTlsPort }: Smtp): number => tlsPort ?? startTlsPort ?? 465;
const startTlsOf = ({ tlsPort, startTlsPort }: Smtp): number => startTlsPort ?? tlsPort ?? 587;
const hasTls = ({ tlsPort }: Smtp): boolean => tlsPort !== null;

const form = (smtp: Smtp, user: string, from: string): string[] => [
  `Host: ${smtp.host}`,
  `Port: ${portOf(smtp)}`,
  `Encryption: ${hasTls(smtp) ? 'SSL/TLS' : 'STARTTLS'}`,
  `User: ${user}`,
  `Password: ${password}`,
  `From: ${from}`,
];

export const apps: readonly App[] = [
  {
    name: 'Ghost',
    settings: (smtp, from) => [
      '"mail": {',
      '  "transport": "SMTP",',
      `  "from": "${from}",`,
      `  "options": { "host": "${smtp.host}", "port": ${portOf(smtp)}, "secure": ${String(hasTls(smtp))},`,
      `    "auth": { "user": "ghost", "pass": "${password}" } }`,
      '}',
    ],
  },
  { name: 'WordPress, with a plugin for SMTP', settings: (smtp, from) => form(smtp, 'wordpress', from) },
  {
    name: 'Grafana',
    settings: (smtp, from) => [
      '[smtp]',
      'enabled = true',
      `host = ${smtp.host}:${startTlsOf(smtp)}`,
      'user = grafana',
      `password = """${password}"""`,
      `from_address = ${from}`,
    ],
  },
  {
    name: 'Gitea and Forgejo',
    settings: (smtp, from) => [
      '[mailer]',
      'ENABLED = true',
      `PROTOCOL = ${hasTls(smtp) ? 'smtps' : 'smtp+starttls'}`,
      `SMTP_ADDR = ${smtp.host}`,
      `SMTP_PORT = ${portOf(smtp)}`,
      'USER = gitea',
      `PASSWD = \`${password}\``,
      `FROM = ${from}`,
    ],
  },
  { name: 'Nextcloud', settings: (smtp, from) => form(smtp, 'nextcloud', from) },
  {
    name: 'Django',
    settings: (smtp, from) => [
      `EMAIL_HOST = "${smtp.host}"`,
      `EMAIL_PORT = ${startTlsOf(smtp)}`,
      smtp.startTlsPort === null ? 'EMAIL_USE_SSL = True' : 'EMAIL_USE_TLS = True',
      'EMAIL_HOST_USER = "django"',
      `EMAIL_HOST_PASSWORD = "${password}"`,
      `DEFAULT_FROM_EMAIL = "${from}"`,
    ],
  },
  {
    name: 'Rails',
    settings: (smtp) => [
      'config.action_mailer.smtp_settings = {',
      `  address: "${smtp.host}", port: ${startTlsOf(smtp)}, ${smtp.startTlsPort === null ? 'tls: true' : 'enable_starttls: true'},`,
      `  user_name: "rails", password: "${password}", authentication: :plain`,
      '}',
    ],
  },
  {
    name: 'Laravel',
    settings: (smtp, from) => [
      'MAIL_MAILER=smtp',
      `MAIL_SCHEME=${hasTls(smtp) ? 'smtps' : 'smtp'}`,
      `MAIL_HOST=${smtp.host}`,
      `MAIL_PORT=${portOf(smtp)}`,
      'MAIL_USERNAME=laravel',
      `MAIL_PASSWORD=${password}`,
      `MAIL_FROM_ADDRESS=${from}`,
    ],
  },
  {
    name: 'Postfix as a relay',
    settings: (smtp, from) => [
      `relayhost = [${smtp.host}]:${startTlsOf(smtp)}`,
      'smtp_tls_security_level = verify',
      ...(smtp.startTlsPort === null ? ['smtp_tls_wrappermode = yes'] : []),
      'smtp_sasl_auth_enable = yes',
      'smtp_sasl_tls_security_options = noanonymous',
      'smtp_sasl_password_maps = hash:/etc/postfix/svc',
      `sender_canonical_maps = static:${from}`,
    ],
  },
  { name: 'Printers and scanners', settings: (smtp, from) => form(smtp, 'printer', from) },
];
