import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface RunningServer {
  /** http://host:port that the server listens on. The system chose the port where 0 was requested. */
  readonly address: string;
  /** Stops accepting connections, waits for running requests (25 s at most), then closes all connections. */
  stop(): Promise<void>;
}

const drainMs = 25_000;
/** Further connections are closed as they arrive: each holds memory and a file descriptor. */
const maxConnections = 4_096;

/**
 * Starts an HTTP server.
 * @throws the system's error (EADDRINUSE, EACCES) where it cannot listen on the address
 */
export async function startServer(listener: RequestListener, host: string, port: number): Promise<RunningServer> {
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 }, listener);
  server.maxConnections = maxConnections;
  const connections = trackConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return { address: addressOf(server, host), stop: () => drain(server, connections) };
}

/** Every open connection, with the number of its unanswered requests. */
type Connections = Map<Socket, number>;

/** Tracks idle connections, because node:http does not report those that never had a request, which browsers open in advance. */
function trackConnections(server: Server): Connections {
  const connections: Connections = new Map();
  const change = (socket: Socket, by: number): void => {
    const running = connections.get(socket);
    if (running !== undefined) connections.set(socket, running + by);
  };
  server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    change(socket, 1);
    response.once('close', () => change(socket, -1));
  });
  return connections;
}

function addressOf(server: Server, host: string): string {
  const bound: AddressInfo | string | null = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server, connections: Connections): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = (): void => {
    for (const [socket, running] of connections) if (running === 0) socket.destroySoon();
  };
  closeIdle();
  const sweep = setInterval(closeIdle, 50);
  const force = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
