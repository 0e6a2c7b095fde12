import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ok, problem, skipped, type Finding } from './finding.js';

const timeoutMs = 5_000;

/** Checks that a mail server answers at SVC_SMTP_URL. */
export async function checkSmtp(url: string | undefined): Promise<Finding> {
  if (url === undefined || url === '')
    return skipped('mail', 'SVC_SMTP_URL is not set: mail is kept in the local mailbox at /dev/mailbox.');
  const { hostname, port, protocol } = new URL(url);
  const tls = protocol === 'smtps:';
  const to = { host: hostname, port: Number(port) || (tls ? 465 : 587) };
  const where = `${to.host}:${to.port}`;
  try {
    const greeting = await greetingOf(tls ? connectTls({ ...to, servername: hostname }) : connectPlain(to));
    return greeting.startsWith('220')
      ? ok('mail', `${where} answers.`)
      : problem(
          'mail',
          `${where} answers “${greeting}” instead of a mail server’s 220.`,
          'Correct host and port in SVC_SMTP_URL; port 465 needs smtps://.',
        );
  } catch (error) {
    const message = error instanceof Error ? error.message || String(error) : String(error);
    return problem(
      'mail',
      `${where} does not answer: ${message}.`,
      'Correct SVC_SMTP_URL, and allow outgoing connections to that port.',
    );
  }
}

function greetingOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer within 5 s')));
    socket.once('data', (data: Buffer) => {
      socket.end('QUIT\r\n');
      resolve(data.toString('utf8').split('\r\n')[0] ?? '');
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('it closed the connection')));
  });
}
