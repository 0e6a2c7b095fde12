import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  /** http://host:port as it really listens; the port is the system's choice where 0 was asked for. */
  readonly address: string;
  /** Stops accepting, lets running requests end (25 s at most), then closes what is left. */
  stop(): Promise<void>;
}

const drainMs = 25_000;

/**
 * Listens.
 * @throws the system's error (EADDRINUSE, EACCES) when the address is not to be had
 */
export async function startServer(listener: RequestListener, host: string, port: number): Promise<RunningServer> {
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return { address: addressOf(server, host), stop: () => drain(server) };
}

function addressOf(server: Server, host: string): string {
  const bound: AddressInfo | string | null = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(force);
}
