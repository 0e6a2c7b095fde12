import type { Holder } from '#core/runtime/holder.js';

/*
 * The state of one key on one node: the tokens that it has reserved in the key's ledger, and the requests that wait for
 * one. All of it is in memory and nothing waits here. Times are unix milliseconds.
 */

/** Reserved tokens are used within this time, or returned. */
export const tokenLifeMs = 1_000;
/** The maximum number of tokens reserved for later requests at a time. */
const maxAhead = 64;

export interface KeyTokens {
  /** Whose key it is. */
  readonly holder: Holder;
  /** Reserved tokens that are not used yet. */
  tokens: number;
  /** When they were reserved. */
  reservedAt: number;
  /** Requests of the current second so far. */
  used: number;
  /** Requests of the second before. */
  usedBefore: number;
  /** Requests that wait for a token, the oldest first. */
  readonly waiting: { readonly allow: () => void; readonly refuse: (error: unknown) => void }[];
  isReserving: boolean;
  /** The newest change of its ledger that this node has begun: a stop waits for it. */
  change: Promise<void>;
  /**
   * Until then, requests are refused without querying the database: the limit was reached, and no node had tokens to
   * return.
   */
  fullUntil: number;
  /** When there is room again, for the text of the refusal. */
  roomAt: number;
  /** Requests that were allowed while the database commits nothing, in the minute that began at `since`. */
  alone: { readonly since: number; used: number };
  /** Ends the current second. */
  timer: NodeJS.Timeout | undefined;
}

export const newKeyTokens = (holder: Holder): KeyTokens => ({
  holder,
  tokens: 0,
  reservedAt: 0,
  used: 0,
  usedBefore: 0,
  waiting: [],
  isReserving: false,
  change: Promise.resolve(),
  fullUntil: 0,
  roomAt: 0,
  alone: { since: -Infinity, used: 0 },
  timer: undefined,
});

/** Uses a reserved token. @returns false if there is none to use */
export function takeToken(key: KeyTokens, now: number): boolean {
  // The timer that returns old tokens may be late: one used long after its reservation would count in the wrong minute.
  const age = now - key.reservedAt;
  const isFresh = age >= 0 && age < tokenLifeMs;
  if (key.tokens === 0 || !isFresh || key.isReserving) return false;
  key.tokens -= 1;
  key.used += 1;
  return true;
}

/** Gives tokens to the requests that wait, if there are any. */
export function allowWaiting(key: KeyTokens): void {
  for (const { allow } of key.waiting.splice(0, key.tokens)) {
    key.tokens -= 1;
    key.used += 1;
    allow();
  }
}

const minuteMs = 60_000;

/** Gives as many requests that wait a token as may be made in a minute, without the ledger in the database. */
export function allowAlone(key: KeyTokens, { now, perMinute }: { now: number; perMinute: number }): void {
  if (Math.abs(now - key.alone.since) >= minuteMs) key.alone = { since: now, used: 0 };
  const granted = Math.min(key.waiting.length, Math.max(0, perMinute - key.alone.used));
  key.alone.used += granted;
  key.tokens = granted;
  allowWaiting(key);
}

/** Refuses all requests that wait. */
export function refuseWaiting(key: KeyTokens, error: () => unknown): void {
  for (const { refuse } of key.waiting.splice(0)) refuse(error());
}

/** Takes all unused tokens, to return them. @returns how many there were */
export function takeUnused(key: KeyTokens): number {
  const unused = key.tokens;
  key.tokens = 0;
  return unused;
}

/** The number of tokens to reserve for later requests: the number that the key has used in a second. */
export const tokensAhead = ({ used, usedBefore }: KeyTokens): number => Math.min(maxAhead, Math.max(used, usedBefore));

/** How long a reached limit is assumed to stay reached without querying the database. */
export const fullMs = 250;

/** Whether the limit was reached a moment ago. False if that moment is in the future because the clock was set back. */
export const isFull = ({ fullUntil }: KeyTokens, now: number): boolean => fullUntil > now && fullUntil <= now + fullMs;

/** Whether nothing would be lost if this node forgot the key. */
export const isIdle = (key: KeyTokens, now: number): boolean =>
  key.waiting.length === 0 &&
  !key.isReserving &&
  key.tokens === 0 &&
  key.usedBefore === 0 &&
  !isFull(key, now) &&
  Math.abs(now - key.alone.since) >= minuteMs;
