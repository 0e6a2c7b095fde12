import type { SMTPServerSession } from 'smtp-server';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { clientOf } from './client.js';

/** Counts the open connections of each client address; an IPv6 client counts by its network (see addressGroup). */
interface ConnectionsPerAddress {
  /** Counts a new connection. @returns how many connections its address has open now, including this one */
  open(session: SMTPServerSession): number;
  /** Counts a connection as closed. Does nothing for a connection that `open` has not counted. */
  close(session: SMTPServerSession): void;
}

export const countConnections = (): ConnectionsPerAddress =>
  countSessions((session) => addressGroup(clientOf(session).ip ?? ''));

/** Counts open connections by a name that each has when it is counted. */
export function countSessions(nameOf: (session: SMTPServerSession) => string): ConnectionsPerAddress {
  const counts = new Map<string, number>();
  /** smtp-server also reports the end of connections whose beginning it has not reported. */
  const counted = new WeakMap<SMTPServerSession, string>();
  return {
    open(session) {
      const name = nameOf(session);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      counted.set(session, name);
      return count;
    },
    close(session) {
      const name = counted.get(session);
      if (name === undefined) return;
      counted.delete(session);
      const count = (counts.get(name) ?? 0) - 1;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    },
  };
}
