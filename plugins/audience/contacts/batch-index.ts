import { identifiers, type ContactRow, type Identifier } from '../tables/contact.js';
import type { ContactWrite } from './store.js';

/** The values that a contact is matched by. */
export type Identifiers = Readonly<Pick<ContactRow, Identifier>>;

/** The contacts of a batch by their identifiers, including what earlier rows of the batch changed. */
export interface BatchIndex {
  find(identifier: Identifier, value: string): ContactWrite | undefined;
  /** Replaces a contact by `after`, which is found by its new identifiers only. */
  set(write: ContactWrite, after: ContactRow): void;
  /** Every contact that `set` changed. */
  writes(): ContactWrite[];
}

/** @param rows the existing contacts that the batch may match */
export function createBatchIndex(rows: readonly ContactRow[]): BatchIndex {
  const entries = new Map<string, ContactWrite>();
  const changed = new Set<ContactWrite>();
  const keysOf = (row: Identifiers): string[] =>
    identifiers.flatMap((name) => (row[name] === null ? [] : [`${name} ${row[name]}`]));
  for (const row of rows) {
    const write: ContactWrite = { before: row, after: row };
    for (const key of keysOf(row)) entries.set(key, write);
  }
  return {
    find: (identifier, value) => entries.get(`${identifier} ${value}`),
    set(write, after) {
      for (const key of keysOf(write.after)) if (entries.get(key) === write) entries.delete(key);
      write.after = after;
      for (const key of keysOf(after)) entries.set(key, write);
      changed.add(write);
    },
    writes: () => [...changed],
  };
}
