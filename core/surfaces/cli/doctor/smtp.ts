import { createTransport } from 'nodemailer';
import { responsePrinter } from '#core/runtime/smtp/response-printer.js';
import { ok, problem, skipped, type Finding } from './finding.js';

const timeoutMs = 5_000;

/**
 * Checks that the mail server at SVC_SMTP_URL can be used: it answers, its certificate is valid, and it takes user and
 * password.
 */
export async function checkSmtp(url: string | undefined): Promise<Finding> {
  if (url === undefined || url === '')
    return skipped('mail', 'SVC_SMTP_URL is not set: mail is kept in the local mailbox at /dev/mailbox.');
  const { hostname, port, protocol, username } = new URL(url);
  const where = `${hostname}:${Number(port) || (protocol === 'smtps:' ? 465 : 587)}`;
  const server = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await server.verify();
    return ok('mail', `${where} answers${username === '' ? '' : ', and takes user and password'}.`);
  } catch (error) {
    const { reason, fix } = explain(error);
    return problem('mail', `${where} cannot be used: ${responsePrinter(url)(reason)}.`, fix);
  } finally {
    server.close();
  }
}

const fixes = {
  login: 'Correct user and password in SVC_SMTP_URL.',
  protocol: 'Correct host and port in SVC_SMTP_URL; port 465 needs smtps://, all others smtp://.',
  certificate:
    'Name the host in SVC_SMTP_URL as its certificate does; for a certificate of your own authority, start with NODE_EXTRA_CA_CERTS=<file>.',
  connection: 'Correct SVC_SMTP_URL, and allow outgoing connections to that port.',
} as const;

/** @param error from nodemailer or from the socket */
function explain(error: unknown): { reason: string; fix: string } {
  const message = error instanceof Error ? error.message || String(error) : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // OpenSSL: error:0A00010B:SSL routines:ssl3_get_record:wrong version number:file:line
  const [, handshake] = /:SSL routines:[^:]*:([^:]+)/.exec(message) ?? [];
  if (handshake !== undefined) return { reason: `TLS failed: ${handshake}`, fix: fixes.protocol };
  const reason = message.trim().replace(/\.$/, '');
  if (code === 'EAUTH') return { reason, fix: fixes.login };
  if (code === 'EPROTOCOL') return { reason, fix: fixes.protocol };
  if (/certificate/i.test(`${code} ${message}`)) return { reason, fix: fixes.certificate };
  return { reason, fix: fixes.connection };
}
