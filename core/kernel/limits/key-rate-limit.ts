import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Log } from '#core/runtime/log.js';
import { commonErrors } from '../errors/common.js';
import { makeError, type SvcError } from '../errors/errors.js';
import {
  openSeconds,
  readLedger,
  requestsPerMinute,
  reserveTokens,
  returnTokens,
  statusOf,
  type Reservation,
} from './key-ledger.js';
import { createKeyLedgerStore } from './key-ledger-store.js';

/**
 * The limit of 600 requests in a sliding minute per key, exact across nodes. A key is counted under its lineage, the first key of its
 * chain of rotations: rotating gives no new requests.
 */
export interface KeyRateLimiter {
  /** Counts one request. @throws rate_limited, with `retry-after` */
  take(keyId: string): Promise<void>;
  /** @param db the session of the call: a second connection per call could deadlock the connection pool */
  status(db: Session, keyId: string): Promise<{ limit: number; remaining: number; resetsAt: Date }>;
  stop(): Promise<void>;
}

/** This node's state for one key. */
interface KeyState {
  /** Reserved tokens that are not used yet. */
  tokens: number;
  /** When they were reserved (unix ms). Tokens older than `tokenLifeMs` are returned, not used. */
  reservedAt: number;
  /** Requests of this second so far, and of the last one: as many tokens are reserved ahead. */
  used: number;
  usedBefore: number;
  waiting: { allow: () => void; refuse: (error: unknown) => void }[];
  isReserving: boolean;
  /** The newest change of its ledger: a stop waits for it. */
  change: Promise<void>;
  /** Refuse without asking until this time (unix ms): the limit was reached, and no node had tokens to return. */
  fullUntil: number;
  /** When there is room again (unix ms), for the text of the refusal. */
  roomAt: number;
  /** Ends the current second: see `endSecond`. */
  timer: NodeJS.Timeout | undefined;
}

const tokenLifeMs = 1_000;
/** How long a request near the limit waits before it asks again whether other nodes have returned tokens. */
const askAgainMs = 50;
/** How long a reached limit is assumed to stay reached without asking the database. */
const fullMs = 250;
const maxAhead = 64;
/** From this many requests in a second on, the tokens of the next second are reserved before the first request needs one. */
const steadyRequests = 3;

/**
 * Most requests take a token that this node has reserved already, without asking the database. A reservation takes one round trip for all
 * keys that need one at the time (key-ledger-store.ts), and reserves tokens for as many later requests as the key made in a second.
 */
export function createKeyRateLimiter(database: ConnectedDatabase, clock: Clock, log: Log): KeyRateLimiter {
  const node = newId().slice(-12);
  const keys = new Map<string, KeyState>();
  const store = createKeyLedgerStore(database, log);
  const nowMs = (): number => clock.now().getTime();
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);

  const stateOf = (keyId: string): KeyState => {
    const known = keys.get(keyId);
    if (known) return known;
    const made: KeyState = {
      tokens: 0,
      reservedAt: 0,
      used: 0,
      usedBefore: 0,
      waiting: [],
      isReserving: false,
      change: Promise.resolve(),
      fullUntil: 0,
      roomAt: 0,
      timer: undefined,
    };
    keys.set(keyId, made);
    return made;
  };

  const isIdle = ({ waiting, isReserving, tokens, usedBefore, fullUntil }: KeyState): boolean =>
    waiting.length === 0 && !isReserving && tokens === 0 && usedBefore === 0 && fullUntil <= nowMs();

  const startTimer = (keyId: string, key: KeyState): void => {
    key.timer ??= setTimeout(() => void endSecond(keyId, key), tokenLifeMs).unref();
  };

  /** Returns the tokens that the second left unused; for a key in steady use, in one change with the next reservation. */
  const endSecond = async (keyId: string, key: KeyState): Promise<void> => {
    key.timer = undefined;
    if (key.isReserving) return;
    key.usedBefore = key.used;
    key.used = 0;
    if (key.usedBefore >= steadyRequests) return startReservation(keyId, key);
    await (key.change = returnUnused(keyId, key));
    if (isIdle(key)) {
      keys.delete(keyId);
      store.forget(keyId);
    } else startTimer(keyId, key);
  };

  const returnUnused = async (keyId: string, key: KeyState): Promise<void> => {
    const unused = key.tokens;
    key.tokens = 0;
    if (unused === 0) return;
    await store
      .change(keyId, (ledger) => ({ ledger: returnTokens(ledger, node, unused) }))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'returning reserved request tokens failed; they count as used');
      });
  };

  const refusal = (key: KeyState): SvcError => {
    const seconds = Math.max(1, Math.ceil((key.roomAt - nowMs()) / 1000));
    return makeError(
      'rate_limited',
      commonErrors.rate_limited,
      { limit: `${requestsPerMinute} per minute per key`, seconds },
      seconds,
    );
  };

  /** Reserves tokens until all waiting requests have one or the limit is reached. */
  const reserve = async (keyId: string, key: KeyState): Promise<void> => {
    key.isReserving = true;
    const deadline = Date.now() + (openSeconds + 1) * 1000;
    try {
      for (;;) {
        const unused = key.tokens;
        key.tokens = 0;
        const ahead = Math.min(maxAhead, Math.max(key.used, key.usedBefore));
        let wanted = 0;
        const answer: Reservation = await store.change(keyId, (ledger) => {
          wanted = key.waiting.length;
          return reserveTokens(returnTokens(ledger, node, unused), node, wanted, ahead, nowSeconds());
        });
        key.tokens += answer.granted;
        key.reservedAt = nowMs();
        for (const { allow } of key.waiting.splice(0, key.tokens)) {
          key.tokens -= 1;
          key.used += 1;
          allow();
        }
        if (key.waiting.length === 0) break;
        // Requests that arrived meanwhile were not part of it. The limit is reached only if a reservation returned too few tokens.
        if (answer.granted >= wanted) continue;
        if (!answer.othersMayReturn || Date.now() > deadline) {
          key.roomAt = nowMs() + answer.freeInSeconds * 1000;
          key.fullUntil = nowMs() + fullMs;
          for (const { refuse } of key.waiting.splice(0)) refuse(refusal(key));
          break;
        }
        await pause(askAgainMs);
      }
    } catch (error) {
      for (const { refuse } of key.waiting.splice(0)) refuse(error);
    } finally {
      key.isReserving = false;
      startTimer(keyId, key);
    }
  };

  const startReservation = (keyId: string, key: KeyState): Promise<void> => (key.change = reserve(keyId, key));

  return {
    async take(keyId) {
      const key = stateOf(keyId);
      // The timer may be late: a token used long after its reservation would count in the wrong minute.
      const isFresh = nowMs() - key.reservedAt < tokenLifeMs;
      if (key.tokens > 0 && isFresh && !key.isReserving) {
        key.tokens -= 1;
        key.used += 1;
        return;
      }
      if (key.fullUntil > nowMs()) throw refusal(key);
      await new Promise<void>((allow, refuse) => {
        key.waiting.push({ allow, refuse });
        if (!key.isReserving) void startReservation(keyId, key);
      });
    },
    async status(db, keyId) {
      const [row] = await db.rows<{ ledger: string }>('SELECT ledger FROM svc_ceiling WHERE key_id = ?', [
        idBytes(keyId),
      ]);
      const { remaining, resetsAt } = statusOf(readLedger(row?.ledger ?? ''), nowSeconds());
      return {
        limit: requestsPerMinute,
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
