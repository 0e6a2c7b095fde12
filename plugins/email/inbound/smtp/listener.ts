import { readFile } from 'node:fs/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import type { Listener } from '#core/kernel/listener.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../../settings.js';
import { mostMessageBytes } from '../ingest/request.js';
import { clientOf } from './client.js';
import { recipientCheck } from './recipients.js';
import { SmtpReply, tryLater } from './reply.js';
import { takeMessage } from './take-message.js';

/** Milliseconds that a client may keep still (RFC 5321 4.5.3.2.7). */
const idleMs = 5 * 60_000;
/** Milliseconds that messages which are arriving at the stop may take. */
const drainMs = 20_000;
const mostConnections = 500;
/** Milliseconds between looks at the certificate's files. */
const certificateMs = 60_000;

export interface ReceiverOptions {
  idleMs?: number;
  /** Called with the port once it listens. */
  onListening?: (port: number) => void;
}

/** The SMTP receiver (RFC 5321), where SVC_INBOUND_SMTP_PORT is set. */
export function smtpReceivers(services: Services, options: ReceiverOptions = {}): Listener[] {
  const { inboundSmtpPort } = services.deployment.settingsOf(settings);
  return inboundSmtpPort === undefined ? [] : [smtpReceiver(services, inboundSmtpPort, options)];
}

function smtpReceiver(services: Services, port: number, options: ReceiverOptions): Listener {
  const { deployment, log } = services;
  const { mailInboundHost, inboundTlsCert, inboundTlsKey, inboundConnectionsPerIp } = deployment.settingsOf(settings);
  const certificate =
    inboundTlsCert === undefined || inboundTlsKey === undefined ? null : { cert: inboundTlsCert, key: inboundTlsKey };
  const recipients = recipientCheck(services);
  const perIp = new Map<string, number>();
  /** Sessions whose message is arriving or being stored. */
  const busy = new Set<SMTPServerSession>();
  let stopping = false;
  let watch: NodeJS.Timeout | undefined;

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
    socketTimeout: options.idleMs ?? idleMs,
    closeTimeout: drainMs,
    onConnect(session, done) {
      const group = addressGroup(clientOf(session).ip ?? '');
      const open = (perIp.get(group) ?? 0) + 1;
      perIp.set(group, open);
      done(open > inboundConnectionsPerIp ? new SmtpReply(421, '4.7.0 Too many connections from your address') : null);
    },
    onClose(session) {
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
      takeMessage(services, stream, session, recipients.accepted(session))
        .then(
          (text) => done(null, text),
          (error: unknown) => done(error instanceof Error ? error : tryLater()),
        )
        .finally(() => {
          busy.delete(session);
          if (stopping) letGo();
        });
    },
  });
  // A client that resets its connection is no problem of the server.
  server.on('error', (error) => log.debug({ err: error }, 'an SMTP connection failed'));

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

  return {
    name: `SMTP on port ${port}`,
    role: 'api',
    async start() {
      await loadCertificate();
      await new Promise<void>((resolve, reject) => {
        server.server.once('error', reject);
        server.listen(port, () => {
          server.server.removeListener('error', reject);
          resolve();
        });
      });
      const bound = server.server.address();
      options.onListening?.(typeof bound === 'object' && bound ? bound.port : port);
      log.info({ port: typeof bound === 'object' && bound ? bound.port : port }, 'receiving mail by SMTP');
      const changed = (error: unknown): void =>
        log.error({ err: error }, 'the certificate of the SMTP receiver was not read');
      if (certificate) watch = setInterval(() => void loadCertificate().catch(changed), certificateMs).unref();
    },
    async stop() {
      stopping = true;
      clearInterval(watch);
      const closed = new Promise<void>((resolve) => server.close(resolve));
      letGo();
      await closed;
    },
  };
}
