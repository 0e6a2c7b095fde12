import { readFile } from 'node:fs/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../../settings.js';
import { mostMessageBytes } from '../ingest/request.js';
import { clientOf } from './client.js';
import { recipientCheck } from './recipients.js';
import { SmtpReply, tryLater } from './reply.js';
import { takeMessage } from './take-message.js';

/** Milliseconds that a client may keep still (RFC 5321 4.5.3.2.7). */
const idleMs = 5 * 60_000;
/** Milliseconds that one message may take to arrive, however few bytes at a time. */
const messageMs = 15 * 60_000;
/** Milliseconds that messages which are arriving at the stop may take. */
const drainMs = 20_000;
const mostConnections = 500;
/** Milliseconds between looks at the certificate's files. */
const certificateMs = 60_000;

export interface Receiver {
  /** Takes no new messages, and waits for those that are arriving. */
  stop(): Promise<void>;
}

/**
 * Starts the SMTP receiver (RFC 5321).
 * @param port 0 for any
 * @throws the system's error where it cannot listen, or read the certificate
 */
export async function startReceiver(services: Services, port: number): Promise<Receiver> {
  const { deployment, log } = services;
  const { mailInboundHost, inboundTlsCert, inboundTlsKey, inboundConnectionsPerIp } = deployment.settingsOf(settings);
  const certificate =
    inboundTlsCert === undefined || inboundTlsKey === undefined ? null : { cert: inboundTlsCert, key: inboundTlsKey };
  const recipients = recipientCheck(services);
  const perIp = new Map<string, number>();
  /** Sessions that perIp counts. smtp-server calls onClose also for those that ended before onConnect. */
  const counted = new WeakSet<SMTPServerSession>();
  /** Sessions whose message is arriving or being stored. */
  const busy = new Set<SMTPServerSession>();
  let stopping = false;

  const server = new SMTPServer({
    name: mailInboundHost ?? new URL(deployment.baseUrl).hostname,
    size: mostMessageBytes,
    rejectOversized: true,
    maxRecipients: 100,
    maxClients: mostConnections,
    disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Addresses outside ASCII are refused: see parseAddress.
    hideSMTPUTF8: true,
    logger: false,
    socketTimeout: idleMs,
    closeTimeout: drainMs,
    onConnect(session, done) {
      const group = addressGroup(clientOf(session).ip ?? '');
      const open = (perIp.get(group) ?? 0) + 1;
      perIp.set(group, open);
      counted.add(session);
      done(open > inboundConnectionsPerIp ? new SmtpReply(421, '4.7.0 Too many connections from your address') : null);
    },
    onClose(session) {
      if (!counted.delete(session)) return;
      const group = addressGroup(clientOf(session).ip ?? '');
      const open = (perIp.get(group) ?? 0) - 1;
      if (open > 0) perIp.set(group, open);
      else perIp.delete(group);
    },
    onRcptTo({ address }, session, done) {
      recipients.accept(address, session).then(
        () => done(),
        (error: unknown) => {
          if (!(error instanceof SmtpReply))
            log.error({ err: error }, 'a recipient of received mail was not looked up');
          done(error instanceof SmtpReply ? error : tryLater());
        },
      );
    },
    onData(stream, session, done) {
      busy.add(session);
      const tooSlow = setTimeout(() => connectionOf(session)?.send(421, '4.4.2 The message takes too long'), messageMs);
      stream.once('end', () => clearTimeout(tooSlow));
      takeMessage(services, stream, session, recipients.accepted(session))
        .then(
          (text) => done(null, text),
          (error: unknown) => done(error instanceof Error ? error : tryLater()),
        )
        .finally(() => {
          clearTimeout(tooSlow);
          busy.delete(session);
          if (stopping) letGo();
        });
    },
  });
  // A client that resets its connection is no problem of the server.
  server.on('error', (error) => log.debug({ err: error }, 'an SMTP connection failed'));

  const connectionOf = (session: SMTPServerSession) =>
    [...server.connections].find((connection) => connection.session === session);
  /** Ends connections that have no message under way. */
  const letGo = (): void => {
    for (const connection of server.connections)
      if (!busy.has(connection.session)) connection.send(421, '4.3.2 The server is stopping, please try again later');
  };
  const loadCertificate = async (): Promise<void> => {
    if (!certificate) return;
    const [cert, key] = await Promise.all([readFile(certificate.cert), readFile(certificate.key)]);
    if (!cert.equals(loaded.cert) || !key.equals(loaded.key)) server.updateSecureContext({ cert, key });
    Object.assign(loaded, { cert, key });
  };
  const loaded = { cert: Buffer.alloc(0), key: Buffer.alloc(0) };

  await loadCertificate();
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, () => {
      server.server.removeListener('error', reject);
      resolve();
    });
  });
  const bound = server.server.address();
  log.info({ port: typeof bound === 'object' && bound ? bound.port : port }, 'receiving mail by SMTP');
  const notRead = (error: unknown): void =>
    log.error({ err: error }, 'the certificate of the SMTP receiver was not read');
  const watch = setInterval(() => void loadCertificate().catch(notRead), certificateMs).unref();

  return {
    async stop() {
      stopping = true;
      clearInterval(watch);
      const closed = new Promise<void>((resolve) => server.close(resolve));
      letGo();
      await closed;
    },
  };
}
