import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limitConnections, type OpenConnections } from './connections.js';

export interface RunningServer {
  /** http://host:port that the server listens on. If port 0 was requested, the system chose the port. */
  readonly address: string;
  /**
   * Accepts the connections that the kernel has completed, stops accepting, answers the requests that have arrived (25
   * s at most), and closes the connections as they become idle. The listener must say `Connection: close` from now on.
   */
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
/** How long a stop accepts connections, if new ones arrive all the time. */
const acceptMs = 5_000;
/** How long a stop waits for the first request of a new connection, and for the rest of a request's head. */
const headMs = 2_000;
/** Turns of the event loop without an event, after which nothing has arrived that was not read. */
const quietTurns = 3;
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
      // The answer before said that the connection closes: the client knows that this request is not answered.
      if (request.socket.destroyed || request.socket.writableEnded) return;
      response.once('close', () => {
        connection.answeredBytes = request.socket.bytesRead;
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

/**
 * Not Server.close of node:http, which destroys idle connections although their next request may have arrived: its
 * client would get a reset instead of an answer.
 */
async function drain(server: Server, connections: OpenConnections): Promise<void> {
  const began = performance.now();
  const force = setTimeout(() => server.closeAllConnections(), drainMs);
  await acceptQueued(server);
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  Reflect.apply(NetServer.prototype.close, server, []);
  const closeIdle = (): void => void closeQuiet(connections, performance.now() - began > headMs);
  closeIdle();
  const sweep = setInterval(closeIdle, 50);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
  // Ends the timer that watches for slow requests.
  server.close();
}

/**
 * Waits until no connection is left that the kernel has completed and this process has not accepted: closing the
 * socket would reset them with their requests. Node accepts them between two turns of the event loop.
 */
async function acceptQueued(server: Server): Promise<void> {
  const endsAt = performance.now() + acceptMs;
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  server.on('connection', count);
  for (let quiet = 0; quiet < quietTurns && performance.now() < endsAt;) {
    const before = accepted;
    await nextTurn();
    quiet = accepted === before ? quiet + 1 : 0;
  }
  server.off('connection', count);
}

/**
 * Closes the connections that have no request, nor one that has arrived and was not read yet.
 * @param isLate whether those end too whose first request is on its way, or of which a part has arrived
 */
async function closeQuiet(connections: OpenConnections, isLate: boolean): Promise<void> {
  const isIdle = (socket: Socket, bytes: number): boolean => {
    const connection = connections.get(socket);
    if (connection?.unanswered !== 0 || socket.bytesRead !== bytes) return false;
    return isLate || (bytes > 0 && bytes === connection.answeredBytes);
  };
  const idle = [...connections.keys()].map((socket) => [socket, socket.bytesRead] as const);
  for (let turn = 0; turn < quietTurns; turn += 1) await nextTurn();
  for (const [socket, bytes] of idle) if (isIdle(socket, bytes)) socket.destroySoon();
}
