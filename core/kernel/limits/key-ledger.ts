/*
 * The sliding minute of one key, as pure arithmetic. Nodes lease tokens from it (key-rate-limit.ts). An entry counts from the second it
 * was leased in until 61 s later: a leased token is used within a second, so no sliding minute ever sees more than the limit.
 */

export interface Entry {
  second: number;
  node: string;
  tokens: number;
  /** The node may still give some back. */
  open: boolean;
}

export type Ledger = readonly Entry[];

export const requestsPerMinute = 600;
const windowSeconds = 61;
/** A node gives back what it did not use within this; one that did not has crashed, and its tokens count as used. */
export const openSeconds = 2;

export interface Reservation {
  ledger: Ledger;
  granted: number;
  /** Tokens left after this lease. */
  remaining: number;
  /** Others hold tokens that they may give back: worth asking again before refusing. */
  othersHold: boolean;
  /** Seconds until the oldest entry leaves the window. */
  freeInSeconds: number;
}

const current = (ledger: Ledger, now: number): Entry[] => ledger.filter((entry) => entry.second > now - windowSeconds);
const used = (ledger: Ledger): number => ledger.reduce((sum, entry) => sum + entry.tokens, 0);

/** Gives back what `node` did not use of its open entries. */
export function returnTokens(ledger: Ledger, node: string, unused: number): Ledger {
  let left = unused;
  return ledger.map((entry) => {
    if (entry.node !== node || !entry.open) return entry;
    const back = Math.min(left, entry.tokens);
    left -= back;
    return { ...entry, tokens: entry.tokens - back, open: false };
  });
}

/**
 * Leases up to `wanted` tokens, and up to `ahead` more for calls to come while less than half the limit is used: near the
 * limit a token lying idle on one node would be missing on another.
 * @param now unix seconds
 */
export function reserveTokens(before: Ledger, node: string, wanted: number, ahead: number, now: number): Reservation {
  const ledger = current(before, now).filter((entry) => entry.tokens > 0);
  const free = requestsPerMinute - used(ledger);
  const spare = Math.min(ahead, Math.max(0, free - wanted - requestsPerMinute / 2));
  const granted = Math.max(0, Math.min(free, wanted + spare));
  const open = granted > wanted;
  const last = ledger.findIndex((entry) => entry.second === now && entry.node === node);
  const grown = ledger.map((entry, index) =>
    index === last ? { ...entry, tokens: entry.tokens + granted, open } : entry,
  );
  const oldest = ledger[0]?.second ?? now;
  return {
    ledger: last >= 0 || granted === 0 ? grown : [...ledger, { second: now, node, tokens: granted, open }],
    granted,
    remaining: free - granted,
    othersHold: ledger.some((each) => each.open && each.node !== node && each.second > now - openSeconds),
    freeInSeconds: Math.max(1, oldest + windowSeconds - now),
  };
}

/** What is left of the minute, and when all of it is there again. */
export function statusOf(ledger: Ledger, now: number): { remaining: number; resetsAt: number } {
  const entries = current(ledger, now);
  return {
    remaining: requestsPerMinute - used(entries),
    resetsAt: (entries.at(-1)?.second ?? now - windowSeconds) + windowSeconds,
  };
}

const isEntry = (value: unknown): value is [number, string, number, 0 | 1] =>
  Array.isArray(value) && value.length === 4;

export function readLedger(text: string): Ledger {
  const rows: unknown = text === '' ? [] : JSON.parse(text);
  if (!Array.isArray(rows)) return [];
  return rows.filter(isEntry).map(([second, node, tokens, open]) => ({ second, node, tokens, open: open === 1 }));
}

export const writeLedger = (ledger: Ledger): string =>
  JSON.stringify(ledger.map(({ second, node, tokens, open }) => [second, node, tokens, open ? 1 : 0]));
