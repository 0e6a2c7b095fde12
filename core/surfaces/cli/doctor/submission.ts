import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { ok, problem, warning, type Finding } from './finding.js';

const timeoutMs = 5_000;
/** A certificate is usually renewed a month before it ends. */
const soonMs = 14 * 86_400_000;

/** What this environment says about SMTP submission. */
export interface SubmissionFacts {
  readonly startTlsPort: number | undefined;
  readonly tlsPort: number | undefined;
  readonly hasCertificate: boolean;
  /** The name that programs connect to. */
  readonly host: string;
}

/** Reads the settings, which `checkSettings` has found valid. */
export function submissionFacts(baseUrl: string | undefined): SubmissionFacts {
  const { env } = process;
  const portOf = (text: string | undefined): number | undefined =>
    text === undefined || text === '' ? undefined : Number(text);
  return {
    startTlsPort: portOf(env['SVC_SUBMISSION_PORT']),
    tlsPort: portOf(env['SVC_SUBMISSIONS_PORT']),
    hasCertificate: (env['SVC_INBOUND_TLS_CERT'] ?? '') !== '',
    host: env['SVC_SUBMISSION_HOST'] ?? (baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname),
  };
}

/**
 * Checks that the ports of SMTP submission answer on this machine, and that their certificate names the host and is
 * valid.
 */
export async function checkSubmission(facts: SubmissionFacts): Promise<Finding[]> {
  const { startTlsPort, tlsPort, hasCertificate } = facts;
  return [
    ...(startTlsPort === undefined ? [] : [await checkPort(facts, startTlsPort, hasCertificate ? 'starttls' : 'none')]),
    ...(tlsPort === undefined ? [] : [await checkPort(facts, tlsPort, 'implicit')]),
  ];
}

async function checkPort(
  { host }: SubmissionFacts,
  port: number,
  tls: 'starttls' | 'implicit' | 'none',
): Promise<Finding> {
  const where = `SMTP submission on port ${port}`;
  const sockets: Socket[] = [];
  try {
    const plain = connectTcp({ port, host: '127.0.0.1' });
    sockets.push(plain);
    plain.setTimeout(timeoutMs, () => plain.destroy(new Error('it did not answer within 5 s')));
    await once(plain, 'connect');
    if (tls !== 'implicit') {
      await reply(plain, /^220 .*\r\n/m);
      plain.write('EHLO doctor.localhost\r\n');
      await reply(plain, /^250 .*\r\n/m);
    }
    if (tls === 'none')
      return warning(
        'submission',
        `${where} answers without TLS, so that it accepts keys only from this machine.`,
        'Set SVC_INBOUND_TLS_CERT and SVC_INBOUND_TLS_KEY; behind a proxy that ends TLS, ignore this.',
      );
    if (tls === 'starttls') {
      plain.write('STARTTLS\r\n');
      await reply(plain, /^220 .*\r\n/m);
    }
    const secure = connectTls({ socket: plain, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: false });
    sockets.push(secure);
    await once(secure, 'secureConnect');
    return certificateFinding(where, host, secure);
  } catch (error) {
    return problem(
      'submission',
      `${where} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      'Start the server with the same settings, and check that no other program has the port.',
    );
  } finally {
    sockets.toReversed().forEach((socket) => socket.destroy());
  }
}

function certificateFinding(where: string, host: string, socket: TLSSocket): Finding {
  const certificate: PeerCertificate = socket.getPeerCertificate();
  const ends = new Date(certificate.valid_to);
  const renew = 'Renew the certificate of SVC_INBOUND_TLS_CERT; svc reads a changed file within a minute.';
  if (ends.getTime() <= Date.now())
    return problem('submission', `The certificate of ${where} ended on ${certificate.valid_to}.`, renew);
  const mismatch = checkServerIdentity(host, certificate);
  if (mismatch)
    return problem(
      'submission',
      `The certificate of ${where} does not name ${host}.`,
      `Use a certificate for ${host}, or set SVC_SUBMISSION_HOST to a name in it.`,
    );
  if (!socket.authorized)
    return problem(
      'submission',
      `Programs do not trust the certificate of ${where}: ${String(socket.authorizationError)}.`,
      'Use a certificate of a public authority, with its chain in SVC_INBOUND_TLS_CERT. For one of your own authority, start this command with NODE_EXTRA_CA_CERTS=<file>.',
    );
  if (ends.getTime() - Date.now() < soonMs)
    return warning('submission', `The certificate of ${where} ends on ${certificate.valid_to}.`, renew);
  return ok('submission', `${where} answers, and its certificate for ${host} is valid until ${certificate.valid_to}.`);
}

/** Reads until a pattern. @throws Error if the connection ends before */
async function reply(socket: Socket, pattern: RegExp): Promise<void> {
  let text = '';
  while (!pattern.test(text)) {
    const found: unknown[] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    const [chunk] = found;
    if (!Buffer.isBuffer(chunk)) throw new Error('it closed the connection');
    text += chunk.toString('latin1');
    if (text.length > 10_000) throw new Error('it does not speak SMTP');
  }
}
