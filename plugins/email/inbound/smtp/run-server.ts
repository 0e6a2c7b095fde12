import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import type { Log } from '#core/runtime/log.js';
import { watchCertificate, type CertificateFiles } from './certificate.js';

/** Milliseconds that one message may take to arrive, even if only a few bytes arrive at a time. */
const messageMs = 15 * 60_000;

/** Limits of every SMTP server of svc. */
export const serverLimits = {
  /** Milliseconds that a client may stay silent (RFC 5321 4.5.3.2.7). */
  socketTimeout: 5 * 60_000,
  /** Milliseconds that messages may take that are arriving when the server stops. */
  closeTimeout: 20_000,
  /** Connections at the same time, of all clients together. */
  maxClients: 500,
} as const;

/** The messages that are arriving or being stored. */
interface Arriving {
  /** Counts a message, whose connection is ended if it takes too long to arrive. @returns to be called at its end */
  begin(session: SMTPServerSession, arrived: (then: () => void) => void): () => void;
  /** From now on, connections end after their message. */
  stop(): void;
}

/** Watches the messages of a server. @param server it may be created later than this */
export function watchArriving(server: () => SMTPServer): Arriving {
  /** Sessions whose message is arriving or being stored. */
  const busy = new Set<SMTPServerSession>();
  let stopping = false;
  /** Ends the connection of a message that takes too long to arrive. */
  const endSlow = (session: SMTPServerSession): void => {
    for (const connection of server().connections)
      if (connection.session === session) connection.send(421, '4.4.2 The message took too long');
  };
  /** Ends connections on which no message is arriving. */
  const endIdle = (): void => {
    for (const connection of server().connections)
      if (!busy.has(connection.session)) connection.send(421, '4.3.2 The server is stopping, please try again later');
  };
  return {
    begin(session, arrived) {
      busy.add(session);
      const tooSlow = setTimeout(() => endSlow(session), messageMs);
      arrived(() => clearTimeout(tooSlow));
      return () => {
        clearTimeout(tooSlow);
        busy.delete(session);
        if (stopping) endIdle();
      };
    },
    stop() {
      stopping = true;
      endIdle();
    },
  };
}

export interface RunningServer {
  /** The port that it listens on. */
  readonly port: number;
  /** Accepts no new messages, and waits for messages that are arriving. */
  stop(): Promise<void>;
}

/**
 * Starts an SMTP server.
 * @param name for the log
 * @param port 0 for any
 * @throws the system's error if it cannot listen, or cannot read the certificate
 */
export async function runServer(
  server: SMTPServer,
  {
    name,
    port,
    certificate,
    arriving,
    log,
  }: {
    name: string;
    port: number;
    certificate: CertificateFiles | null;
    arriving: Arriving;
    log: Pick<Log, 'error' | 'debug'>;
  },
): Promise<RunningServer> {
  // A client that resets its connection is not a problem of the server.
  server.on('error', (error) => log.debug({ err: error }, 'an SMTP connection failed'));
  const stopWatching = certificate ? await watchCertificate(server, certificate, { log, name }) : undefined;
  try {
    await listen(server, port);
  } catch (error) {
    stopWatching?.();
    throw error;
  }
  const bound = server.server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    async stop() {
      stopWatching?.();
      const closed = new Promise<void>((resolve) => server.close(resolve));
      arriving.stop();
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
