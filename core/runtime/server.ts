import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
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
  /** How long a client may stop reading an answer before its connection is closed. */
  unreadMs?: number;
}

const drainMs = 25_000;
const defaultUnreadMs = 30_000;
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
  { host, port, clientOf = (address) => address, unreadMs = defaultUnreadMs }: ServerOptions,
): Promise<RunningServer> {
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 });
  const connections = limitConnections(server, clientOf);
  answerInTurn(server, connections, (request, response) => {
    limitUnread(request.socket, response, unreadMs);
    listener(request, response);
  });
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
 * Closes the connection if the client reads nothing of an answer for `unreadMs`, because the rest of the answer waits
 * in memory. A client that reads slowly is not affected: Node starts the time again while the queue of the socket
 * shrinks. After the answer, node:http sets the time that the connection may be idle.
 */
function limitUnread(socket: Socket, response: ServerResponse, unreadMs: number): void {
  // The time of an earlier answer must not limit how long this one is prepared.
  socket.setTimeout(0);
  const begin = (): void => void socket.setTimeout(unreadMs);
  response.once('pipe', begin).once('prefinish', begin);
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
