import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Each connection holds memory and a file descriptor. */
const maxConnections = 4_096;
/** Enough for an office or a school behind one address; a proxy in front of svc is exempt if it is trusted. */
const maxPerClient = 512;

export interface Connection {
  /** Requests that arrived and are not answered yet. */
  unanswered: number;
  /** The bytes that had been read when the last request was answered. More of them are the beginning of another one. */
  answeredBytes: number;
  /** Starts answering the next request, in order of arrival. */
  readonly waiting: (() => void)[];
  /** The client it counts for; undefined for a peer that is not limited. */
  readonly client: string | undefined;
}

/** The open connections of a server, the oldest first. */
export type OpenConnections = ReadonlyMap<Socket, Connection>;

/**
 * Tracks the connections of a server, and limits them per client and in total. node:http does not report connections
 * that never had a request, which browsers open in advance.
 *
 * At a limit, the oldest connection that has no running request makes room for the new one: of that client, or of the
 * client with the most connections. So silent connections cannot lock anyone out, not even another program at the same
 * address. If every connection has a running request, the new one is closed.
 * @param clientOf the client that a peer's address counts for; undefined if it is not limited
 */
export function limitConnections(server: Server, clientOf: (address: string) => string | undefined): OpenConnections {
  const connections = new Map<Socket, Connection>();
  const byClient = new Map<string | undefined, Set<Socket>>();

  const closeIdle = (sockets: ReadonlySet<Socket> | undefined): boolean => {
    for (const socket of sockets ?? []) {
      if (connections.get(socket)?.unanswered !== 0) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const forget = (socket: Socket): void => {
    const client = connections.get(socket)?.client;
    const sockets = byClient.get(client);
    connections.delete(socket);
    sockets?.delete(socket);
    if (sockets?.size === 0) byClient.delete(client);
  };
  const largest = (): ReadonlySet<Socket> | undefined =>
    [...byClient.values()].reduce<Set<Socket> | undefined>(
      (most, each) => (each.size > (most?.size ?? 0) ? each : most),
      undefined,
    );

  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const own = byClient.get(client);
    const isClientFull = client !== undefined && (own?.size ?? 0) >= maxPerClient;
    const isFull = connections.size >= maxConnections;
    if ((isClientFull && !closeIdle(own)) || (isFull && !isClientFull && !closeIdle(largest()))) {
      socket.destroy();
      return;
    }
    connections.set(socket, { unanswered: 0, answeredBytes: 0, waiting: [], client });
    const sockets = byClient.get(client) ?? new Set<Socket>();
    byClient.set(client, sockets.add(socket));
    socket.once('close', () => forget(socket));
  });
  return connections;
}
