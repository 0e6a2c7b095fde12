import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../../deployment/settings.js';
import { mostMessageBytes } from '../ingest/request.js';
import { recipientCheck } from './recipients.js';
import { SmtpReply, tryLater } from './reply.js';
import { takeMessage } from './take-message.js';
import { readFile } from 'node:fs/promises';
import type { Log } from '#core/runtime/log.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { clientOf } from './client.js';

/** Milliseconds that a client may stay silent (RFC 5321 4.5.3.2.7). */
const idleMs = 5 * 60_000;
/** Milliseconds that one message may take to arrive, even if only a few bytes arrive at a time. */
const messageMs = 15 * 60_000;
/** Milliseconds that messages may take that are arriving when the receiver stops. */
const drainMs = 20_000;
/** Connections at the same time, of all clients together. */
const mostConnections = 500;

export interface Receiver {
  /** Accepts no new messages, and waits for messages that are arriving. */
  stop(): Promise<void>;
}

/**
 * Starts the SMTP receiver (RFC 5321).
 * @param port 0 for any
 * @throws the system's error if it cannot listen, or cannot read the certificate
 */
export async function startReceiver(services: Services, port: number): Promise<Receiver> {
  const { deployment, log } = services;
  const { mailInboundHost, inboundTlsCert, inboundTlsKey, inboundConnectionsPerIp } = deployment.settingsOf(settings);
  const certificate =
    inboundTlsCert === undefined || inboundTlsKey === undefined ? null : { cert: inboundTlsCert, key: inboundTlsKey };
  const recipients = recipientCheck(services);
  const connections = countConnections();
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
      const isTooMany = connections.open(session) > inboundConnectionsPerIp;
      done(isTooMany ? new SmtpReply(421, '4.7.0 Too many connections from your address') : null);
    },
    onClose(session) {
      connections.close(session);
    },
    onRcptTo({ address }, session, done) {
      recipients.accept(address, session).then(
        () => done(),
        (error: unknown) => {
          if (!(error instanceof SmtpReply))
            log.error({ err: error }, 'a recipient of received mail could not be looked up');
          done(error instanceof SmtpReply ? error : tryLater());
        },
      );
    },
    onData(stream, session, done) {
      busy.add(session);
      const tooSlow = setTimeout(() => endSlow(session), messageMs);
      stream.once('end', () => clearTimeout(tooSlow));
      takeMessage(services, stream, session, recipients.accepted(session))
        .then(
          (text) => done(null, text),
          (error: unknown) => done(error instanceof Error ? error : tryLater()),
        )
        .finally(() => {
          clearTimeout(tooSlow);
          busy.delete(session);
          if (stopping) endIdle();
        });
    },
  });
  // A client that resets its connection is not a problem of the server.
  server.on('error', (error) => log.debug({ err: error }, 'an SMTP connection failed'));

  /** Ends the connection of a message that takes too long to arrive. */
  const endSlow = (session: SMTPServerSession): void => {
    for (const connection of server.connections)
      if (connection.session === session) connection.send(421, '4.4.2 The message took too long');
  };
  /** Ends connections on which no message is arriving. */
  const endIdle = (): void => {
    for (const connection of server.connections)
      if (!busy.has(connection.session)) connection.send(421, '4.3.2 The server is stopping, please try again later');
  };

  const stopWatching = certificate ? await watchCertificate(server, certificate, log) : undefined;
  try {
    await listen(server, port);
  } catch (error) {
    stopWatching?.();
    throw error;
  }
  const bound = server.server.address();
  log.debug({ port: typeof bound === 'object' && bound ? bound.port : port }, 'receiving mail by SMTP');

  return {
    async stop() {
      stopping = true;
      stopWatching?.();
      const closed = new Promise<void>((resolve) => server.close(resolve));
      endIdle();
      await closed;
    },
  };
}

const listen = (server: SMTPServer, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, () => {
      server.server.removeListener('error', reject);
      resolve();
    });
  });

/** Milliseconds between checks of the files. */
const checkMs = 60_000;

/** The paths of a certificate and its key, as PEM. */
interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Gives a server its certificate, and replaces it within a minute after the files have changed.
 * @returns a function that stops checking the files
 * @throws the system's error if the files cannot be read now; later such errors are logged, and the server keeps its
 * certificate
 */
async function watchCertificate(
  server: SMTPServer,
  files: CertificateFiles,
  log: Pick<Log, 'error'>,
): Promise<() => void> {
  let loaded = { cert: Buffer.alloc(0), key: Buffer.alloc(0) };
  const load = async (): Promise<void> => {
    const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
    if (!cert.equals(loaded.cert) || !key.equals(loaded.key)) server.updateSecureContext({ cert, key });
    loaded = { cert, key };
  };
  await load();
  const timer = setInterval(() => {
    load().catch((error: unknown) =>
      log.error({ err: error }, 'the certificate of the SMTP receiver could not be read'),
    );
  }, checkMs).unref();
  return () => clearInterval(timer);
}

/** Counts the open connections of each client address; an IPv6 client counts by its network (see addressGroup). */
interface ConnectionsPerAddress {
  /** Counts a new connection. @returns how many connections its address has open now, including this one */
  open(session: SMTPServerSession): number;
  /** Counts a connection as closed. Does nothing for a connection that `open` has not counted. */
  close(session: SMTPServerSession): void;
}

function countConnections(): ConnectionsPerAddress {
  const counts = new Map<string, number>();
  /** smtp-server also reports the end of connections whose beginning it has not reported. */
  const counted = new WeakSet<SMTPServerSession>();
  const groupOf = (session: SMTPServerSession): string => addressGroup(clientOf(session).ip ?? '');
  return {
    open(session) {
      const group = groupOf(session);
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      counted.add(session);
      return count;
    },
    close(session) {
      if (!counted.delete(session)) return;
      const group = groupOf(session);
      const count = (counts.get(group) ?? 0) - 1;
      if (count > 0) counts.set(group, count);
      else counts.delete(group);
    },
  };
}
