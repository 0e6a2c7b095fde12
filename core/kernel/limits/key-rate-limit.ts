import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { isWithoutCommits } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Holder } from '#core/runtime/holder.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Log } from '#core/runtime/log.js';
import { commonErrors } from '../errors/common.js';
import { makeError, type SvcError } from '../errors/errors.js';
import { openSeconds, readLedger, reserveTokens, returnTokens, statusOf, type Reservation } from './key-ledger.js';
import { createKeyLedgerStore, keyLimitTable } from './key-ledger-store.js';
import {
  allowAlone,
  allowWaiting,
  fullMs,
  isFull,
  isIdle,
  newKeyTokens,
  refuseWaiting,
  takeToken,
  takeUnused,
  tokenLifeMs,
  tokensAhead,
  type KeyTokens,
} from './key-tokens.js';

/** A limit, and whose requests it counts. */
interface RequestLimit {
  /** Requests in a sliding minute. */
  perMinute: number;
  /** Who the limit is for, as refusals name it. */
  whose: 'key' | 'environment';
}

/**
 * The limit of every key. A key is counted under its lineage, the first key of its chain of rotations, so rotating does
 * not grant new requests.
 */
export const limitPerKey: RequestLimit = { perMinute: 600, whose: 'key' };

/** A limit of requests in a sliding minute per key, or per environment, exact across nodes. */
export interface KeyRateLimiter {
  /**
   * Counts one request.
   * @param holder whose key it is: accounts take turns for the statements that count
   * @throws rate_limited, with `retry-after`
   */
  take(keyId: string, holder: Holder): Promise<void>;
  /** @param db the session of the call: a second connection per call could deadlock the connection pool */
  status(db: Session, keyId: string): Promise<{ limit: number; remaining: number; resetsAt: Date }>;
  stop(): Promise<void>;
}

/** How long a request near the limit waits before it checks again whether other nodes have returned tokens. */
const askAgainMs = 50;
/**
 * If a second has at least this many requests, the tokens of the next second are reserved before the first request
 * needs one.
 */
const steadyRequests = 3;

/**
 * Most requests take a token that this node has reserved already, without querying the database. A reservation takes
 * one round trip for all keys that need one at that time (key-ledger-store.ts), and reserves tokens for as many later
 * requests as the key made in a second. Each second, unused tokens are returned for other nodes.
 *
 *   key-tokens.ts         what this node has reserved, in memory
 *   key-ledger.ts         the requests of a key in the last minute, on all nodes, as pure functions
 *   key-ledger-store.ts   the ledgers in the database
 */
export function createKeyRateLimiter(
  database: ConnectedDatabase,
  clock: Clock,
  log: Log,
  { perMinute, whose }: RequestLimit = limitPerKey,
): KeyRateLimiter {
  const node = newId().slice(-12);
  const keys = new Map<string, KeyTokens>();
  const store = createKeyLedgerStore(database, log);
  const nowMs = (): number => clock.now().getTime();
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);

  const tokensOf = (keyId: string, holder: Holder): KeyTokens => {
    const known = keys.get(keyId);
    if (known) return known;
    const made = newKeyTokens(holder);
    keys.set(keyId, made);
    return made;
  };

  const startTimer = (keyId: string, key: KeyTokens): void => {
    key.timer ??= setTimeout(() => void endSecond(keyId, key), tokenLifeMs).unref();
  };

  /**
   * Returns the tokens that the second left unused; for a key in steady use, in one change with the next reservation.
   */
  const endSecond = async (keyId: string, key: KeyTokens): Promise<void> => {
    key.timer = undefined;
    if (key.isReserving) return;
    key.usedBefore = key.used;
    key.used = 0;
    if (key.usedBefore >= steadyRequests) return startReservation(keyId, key);
    await (key.change = returnUnused(keyId, key));
    if (isIdle(key, nowMs())) {
      keys.delete(keyId);
      store.forget(keyId);
    } else startTimer(keyId, key);
  };

  const returnUnused = async (keyId: string, key: KeyTokens): Promise<void> => {
    const unused = takeUnused(key);
    if (unused === 0) return;
    await store
      .change(keyId, key.holder, (ledger) => ({ ledger: returnTokens(ledger, node, unused) }))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'returning reserved request tokens failed; they count as used');
      });
  };

  const refusal = (key: KeyTokens): SvcError => {
    const seconds = Math.max(1, Math.ceil((key.roomAt - nowMs()) / 1000));
    return makeError(
      'rate_limited',
      commonErrors.rate_limited,
      { limit: `${perMinute} per minute per ${whose}`, seconds },
      seconds,
    );
  };

  /**
   * Reserves tokens for the requests that wait and for later ones, in one change of the ledger that first returns
   * unused tokens.
   * @returns what was reserved, and whether that was enough for all requests that were waiting when the ledger was
   *   changed
   */
  const reserveOnce = async (keyId: string, key: KeyTokens): Promise<{ reserved: Reservation; isEnough: boolean }> => {
    const unused = takeUnused(key);
    const ahead = tokensAhead(key);
    let wanted = 0;
    const reserved: Reservation = await store.change(keyId, key.holder, (ledger) => {
      wanted = key.waiting.length;
      const request = { node, wanted, ahead, now: nowSeconds(), limit: perMinute };
      return reserveTokens(returnTokens(ledger, node, unused), request);
    });
    key.tokens += reserved.granted;
    key.reservedAt = nowMs();
    return { reserved, isEnough: reserved.granted >= wanted };
  };

  const refuseAsFull = (key: KeyTokens, { freeInSeconds }: Reservation): void => {
    key.roomAt = nowMs() + freeInSeconds * 1000;
    key.fullUntil = nowMs() + fullMs;
    refuseWaiting(key, () => refusal(key));
  };

  /** Reserves tokens until all waiting requests have one or the limit is reached. */
  const reserve = async (keyId: string, key: KeyTokens): Promise<void> => {
    key.isReserving = true;
    const deadline = performance.now() + (openSeconds + 1) * 1000;
    try {
      for (;;) {
        const { reserved, isEnough } = await reserveOnce(keyId, key);
        allowWaiting(key);
        if (key.waiting.length === 0) break;
        // Requests that arrived in the meantime were not part of it. The limit is reached only if a reservation
        // returned too few tokens.
        if (isEnough) continue;
        if (!reserved.othersMayReturn || performance.now() > deadline) {
          refuseAsFull(key, reserved);
          break;
        }
        await pause(askAgainMs);
      }
    } catch (error) {
      // Reads go on while nothing is committed. This process counts alone, and the limit holds in it.
      if (isWithoutCommits(error)) allowAlone(key, { now: nowMs(), perMinute });
      refuseWaiting(key, () => error);
    } finally {
      key.isReserving = false;
      startTimer(keyId, key);
    }
  };

  const startReservation = (keyId: string, key: KeyTokens): Promise<void> => (key.change = reserve(keyId, key));

  return {
    async take(keyId, holder) {
      const key = tokensOf(keyId, holder);
      const now = nowMs();
      if (takeToken(key, now)) return;
      if (isFull(key, now)) throw refusal(key);
      await new Promise<void>((allow, refuse) => {
        key.waiting.push({ allow, refuse });
        if (!key.isReserving) void startReservation(keyId, key);
      });
    },
    async status(db, keyId) {
      const [row] = await db.rows<{ ledger: string }>(`SELECT ledger FROM ${keyLimitTable} WHERE key_id = ?`, [
        idBytes(keyId),
      ]);
      const { remaining, resetsAt } = statusOf(readLedger(row?.ledger ?? ''), nowSeconds(), perMinute);
      return {
        limit: perMinute,
        remaining: remaining + (keys.get(keyId)?.tokens ?? 0),
        resetsAt: new Date(resetsAt * 1000),
      };
    },
    async stop() {
      await Promise.all(
        [...keys].map(async ([keyId, key]) => {
          await key.change;
          clearTimeout(key.timer);
          await returnUnused(keyId, key);
        }),
      );
    },
  };
}
