import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections, type OpenConnections } from './connections.js';

export interface RunningServer {
  /** http://host:port that the server listens on. If port 0 was requested, the system chose the port. */
  readonly address: string;
  /** Stops accepting connections, waits for running requests (25 s at most), then closes all connections. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  host: string;
  port: number;
  /**
   * Names the client that a connection counts for, such as its IP address.
   * @returns undefined for a peer that is not limited, such as a trusted proxy
   */
  clientOf?: (address: string) => string | undefined;
}

const drainMs = 25_000;
/**
 * Requests of one connection that wait while an earlier one is answered. Clients rarely pipeline (RFC 9112 §9.3.2), and
 * one that does is expected to repeat unanswered requests on a new connection.
 */
const maxPipelined = 16;

/**
 * Starts an HTTP server.
 * @throws the system's error (EADDRINUSE, EACCES) if it cannot listen on the address
 */
export async function startServer(
  listener: RequestListener,
  { host, port, clientOf = (address) => address }: ServerOptions,
): Promise<RunningServer> {
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 });
  const connections = limitConnections(server, clientOf);
  answerInTurn(server, connections, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return { address: addressOf(server, host), stop: () => drain(server, connections) };
}

/**
 * Answers the requests of a connection one at a time. All pipelined requests of a packet arrive in the same turn of the
 * event loop: 20,000 of them delayed everybody else by seconds. A connection with too many unanswered requests is
 * closed.
 */
function answerInTurn(server: Server, connections: OpenConnections, listener: RequestListener): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    // The parser continues to the end of a packet after its connection was closed.
    if (!connection || request.socket.destroyed) return;
    const answer = (): void => {
      if (request.socket.destroyed) return;
      response.once('close', () => {
        // In a later turn of the event loop, even if this answer needed none.
        setImmediate(() => {
          connection.unanswered -= 1;
          connection.waiting.shift()?.();
        });
      });
      listener(request, response);
    };
    connection.unanswered += 1;
    if (connection.unanswered === 1) answer();
    else if (connection.waiting.length < maxPipelined) connection.waiting.push(answer);
    else request.socket.destroy();
  });
}

function addressOf(server: Server, host: string): string {
  const bound: AddressInfo | string | null = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server, connections: OpenConnections): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = (): void => {
    for (const [socket, { unanswered }] of connections) if (unanswered === 0) socket.destroySoon();
  };
  closeIdle();
  const sweep = setInterval(closeIdle, 50);
  const force = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
