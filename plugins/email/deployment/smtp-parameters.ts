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
export function checkSmtpParameters(url: string): void {
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
