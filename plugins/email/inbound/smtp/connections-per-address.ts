import type { SMTPServerSession } from 'smtp-server';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { clientOf } from './client.js';

/** Counts the open connections of each client address; an IPv6 client counts by its network (see addressGroup). */
export interface ConnectionsPerAddress {
  /** Counts a new connection. @returns how many connections its address has open now, including this one */
  open(session: SMTPServerSession): number;
  /** Counts a connection as closed. Does nothing for a connection that `open` has not counted. */
  close(session: SMTPServerSession): void;
}

export function countConnections(): ConnectionsPerAddress {
  const counts = new Map<string, number>();
  /** smtp-server also reports the end of connections whose beginning it has not reported. */
  const counted = new WeakSet<SMTPServerSession>();
  const groupOf = (session: SMTPServerSession): string => addressGroup(clientOf(session).ip ?? '');
  return {
    open(session) {
      const group = groupOf(session);
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      counted.add(session);
      return count;
    },
    close(session) {
      if (!counted.delete(session)) return;
      const group = groupOf(session);
      const count = (counts.get(group) ?? 0) - 1;
      if (count > 0) counts.set(group, count);
      else counts.delete(group);
    },
  };
}
