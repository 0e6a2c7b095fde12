import type { User } from '../operations.gen.js';
import { browserStorage, parsedJson, tokensIn, type BrowserStorage, type SessionTokens } from '../user-session.js';

/* What a browser keeps of a session, in localStorage, which all tabs share. */

export interface SessionRecord extends SessionTokens {
  readonly user: User;
}

export interface RecordStore {
  read(): SessionRecord | null;
  write(record: SessionRecord | null): void;
  /** Calls the listener after each change by this page. Changes by other tabs are storage events of the window. */
  follow(listener: () => void): () => void;
}

/** Replaces localStorage if the browser denies it: the page then renders as signed out. */
const memory = new Map<string, string>();
const memoryStorage: BrowserStorage = {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
};

export const pageStorage = (): BrowserStorage => browserStorage() ?? memoryStorage;

const followers = new Map<string, Set<() => void>>();

export function recordStore(name: string): RecordStore {
  const following = followers.get(name) ?? new Set();
  followers.set(name, following);
  return {
    read() {
      const stored = pageStorage().getItem(name);
      const tokens = tokensIn(stored);
      const user = stored === null ? null : userIn(parsedJson(stored));
      return tokens && user && { ...tokens, user };
    },
    write(record) {
      if (record) pageStorage().setItem(name, JSON.stringify(record));
      else pageStorage().removeItem(name);
      for (const listener of [...following]) listener();
    },
    follow(listener) {
      // Not the function itself: the same one may follow twice, in React's StrictMode.
      const call = (): void => listener();
      following.add(call);
      return () => following.delete(call);
    },
  };
}

/** The user of a stored record; null if it has none. */
function userIn(record: unknown): User | null;
function userIn(record: unknown): unknown {
  const user: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, 'user') : undefined;
  return typeof user === 'object' ? user : null;
}
