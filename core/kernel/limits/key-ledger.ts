/*
 * The requests of one key, or of one environment, in the last minute, as pure functions. Nodes reserve tokens, one for
 * each request (key-rate-limit.ts). An entry counts from the second of its reservation until 61 s later: because a
 * reserved token is used within a second, no sliding minute has more requests than the limit.
 */

export interface Entry {
  second: number;
  node: string;
  tokens: number;
  /** The node may still return some of the tokens. */
  open: boolean;
}

export type Ledger = readonly Entry[];

const windowSeconds = 61;
/**
 * A node returns unused tokens within this time. A node that has not done so has crashed, and the tokens count as used.
 */
export const openSeconds = 2;
/**
 * Tokens reserved for later requests are at most this fraction of the free ones: near the limit, other nodes need them.
 */
const aheadShare = 1 / 4;

export interface Reservation {
  ledger: Ledger;
  granted: number;
  /** Tokens that are free after this reservation. */
  remaining: number;
  /** Other nodes may still return tokens: retry before refusing. */
  othersMayReturn: boolean;
  /** Seconds until the oldest entry leaves the window. */
  freeInSeconds: number;
}

/**
 * How far another node's clock may be ahead of this one's. Later entries come from a clock that was wrong, and do not
 * count.
 */
const mostAheadSeconds = 5;

const current = (ledger: Ledger, now: number): Entry[] =>
  ledger.filter(({ second }) => second > now - windowSeconds && second <= now + mostAheadSeconds);
const used = (ledger: Ledger): number => ledger.reduce((sum, entry) => sum + entry.tokens, 0);

/** Returns the `unused` tokens of `node`, from its open entries. */
export function returnTokens(ledger: Ledger, node: string, unused: number): Ledger {
  let left = unused;
  return ledger.map((entry) => {
    if (entry.node !== node || !entry.open) return entry;
    const returned = Math.min(left, entry.tokens);
    left -= returned;
    return { ...entry, tokens: entry.tokens - returned, open: false };
  });
}

interface ReservationRequest {
  node: string;
  /** Tokens for waiting requests. */
  wanted: number;
  /** Tokens for later requests. */
  ahead: number;
  /** Unix seconds. */
  now: number;
  /** Requests a minute. */
  limit: number;
}

/** Reserves up to `wanted` tokens, and up to `ahead` more. */
export function reserveTokens(before: Ledger, { node, wanted, ahead, now, limit }: ReservationRequest): Reservation {
  const ledger = current(before, now).filter((entry) => entry.tokens > 0);
  const free = limit - used(ledger);
  const spare = Math.min(ahead, Math.floor(Math.max(0, free - wanted) * aheadShare));
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
    othersMayReturn: ledger.some((each) => each.open && each.node !== node && each.second > now - openSeconds),
    freeInSeconds: Math.max(1, oldest + windowSeconds - now),
  };
}

/** How many tokens are free, and the unix second at which all of them are free again. */
export function statusOf(ledger: Ledger, now: number, limit: number): { remaining: number; resetsAt: number } {
  const entries = current(ledger, now);
  return {
    remaining: limit - used(entries),
    resetsAt: (entries.at(-1)?.second ?? now - windowSeconds) + windowSeconds,
  };
}

const isEntry = (value: unknown): value is [number, string, number, 0 | 1] =>
  Array.isArray(value) && value.length === 4;

/** Invalid text is read as an empty ledger. */
export function readLedger(text: string): Ledger {
  const rows: unknown = text === '' ? [] : JSON.parse(text);
  if (!Array.isArray(rows)) return [];
  return rows.filter(isEntry).map(([second, node, tokens, open]) => ({ second, node, tokens, open: open === 1 }));
}

export const writeLedger = (ledger: Ledger): string =>
  JSON.stringify(ledger.map(({ second, node, tokens, open }) => [second, node, tokens, open ? 1 : 0]));
