import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { databaseAddress } from '#core/runtime/database/address.js';

/** A proxy in front of a MySQL server that records every command sent to the server: one command is one round trip. */
export interface RoundTripCounter {
  /** The database's URL through the proxy. */
  readonly url: string;
  /**
   * The commands since the last call, oldest first: the SQL text; `(prepare)`; or `(prepared)` for the run of a
   * prepared statement.
   */
  take(): string[];
  close(): Promise<void>;
}

/** Command bytes of the MySQL protocol. Closing a statement gets no answer, so it is not a round trip. */
const comQuery = 0x03;
const comStatementPrepare = 0x16;
const comStatementClose = 0x19;
const headerBytes = 4;

/** Splits what one client sends into packets, and reports the first packet of each command. */
function packetReader(report: (payload: Buffer) => void): (bytes: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  return (bytes) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    while (pending.length >= headerBytes) {
      const end = headerBytes + pending.readUIntLE(0, 3);
      if (pending.length < end) return;
      // Sequence number 0 begins a command; login packets and continuations have higher ones.
      if (pending[3] === 0) report(pending.subarray(headerBytes, end));
      pending = pending.subarray(end);
    }
  };
}

/** Starts the proxy in front of the server that `databaseUrl` names. */
export async function countRoundTrips(databaseUrl: string): Promise<RoundTripCounter> {
  const [{ host, port, socketPath }] = databaseAddress(databaseUrl).hosts;
  const sockets = new Set<Socket>();
  let commands: string[] = [];
  const server = createServer((client) => {
    const upstream = connect(socketPath === undefined ? { host, port } : { path: socketPath });
    const read = packetReader((payload) => {
      const [command] = payload;
      if (command === comStatementClose) return;
      if (command === comQuery) commands.push(payload.toString('utf8', 1));
      else commands.push(command === comStatementPrepare ? '(prepare)' : '(prepared)');
    });
    client.on('data', read);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const side of [client, upstream]) {
      sockets.add(side.setNoDelay(true));
      side.on('error', end).on('close', () => {
        sockets.delete(side);
        end();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The proxy has no port.');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(bound.port);
  url.searchParams.delete('socketPath');
  return {
    url: url.href,
    take() {
      const taken = commands;
      commands = [];
      return taken;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
