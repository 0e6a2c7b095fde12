import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

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

/** Every open connection, and how many of its requests are not answered yet. */
type Connections = Map<Socket, number>;

/** node:http tells a connection without a running request only when it has had one before: browsers open some ahead. */
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
