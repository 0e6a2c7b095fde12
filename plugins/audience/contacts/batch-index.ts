import { identifiers, type ContactRow, type Identifier } from '../tables/contact.js';
import type { ContactWrite } from './store.js';

export type Identified = Readonly<Pick<ContactRow, Identifier>>;

/** Contacts by their identifiers, as the writes of one batch leave them. */
export interface Book {
  at(identifier: Identifier, value: string): ContactWrite | undefined;
  /** The contact is now as `after` says, under its new identifiers alone. */
  put(write: ContactWrite, after: ContactRow): void;
  /** What is to be written: every contact that a `put` has changed. */
  writes(): ContactWrite[];
}

/** @param rows the contacts that are there already */
export function openBook(rows: readonly ContactRow[]): Book {
  const entries = new Map<string, ContactWrite>();
  const written = new Set<ContactWrite>();
  const keysOf = (row: Identified): string[] =>
    identifiers.flatMap((name) => (row[name] === null ? [] : [`${name} ${row[name]}`]));
  for (const row of rows) {
    const write: ContactWrite = { before: row, after: row };
    for (const key of keysOf(row)) entries.set(key, write);
  }
  return {
    at: (identifier, value) => entries.get(`${identifier} ${value}`),
    put(write, after) {
      for (const key of keysOf(write.after)) if (entries.get(key) === write) entries.delete(key);
      write.after = after;
      for (const key of keysOf(after)) entries.set(key, write);
      written.add(write);
    },
    writes: () => [...written],
  };
}
