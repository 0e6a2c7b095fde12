import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Log } from '#core/runtime/log.js';
import { commonErrors } from '../errors/common.js';
import { makeError, type SvcError } from '../errors/errors.js';
import {
  requestsPerMinute,
  reserveTokens,
  openSeconds,
  readLedger,
  returnTokens,
  statusOf,
  type Reservation,
} from './key-ledger.js';
import { createKeyLedgers } from './key-ledgers.js';

/** The limit of 600 requests in a sliding minute per key, exact across nodes. */
export interface KeyRateLimiter {
  /** Counts one request. @throws rate_limited, with `retry-after` */
  take(keyId: string): Promise<void>;
  /** @param db the asking transaction's: a second connection for one call would let calls wait for each other for ever */
  status(db: Session, keyId: string): Promise<{ limit: number; remaining: number; resetsAt: Date }>;
  stop(): Promise<void>;
}

interface Share {
  /** Leased and not used yet. */
  tokens: number;
  /** When they were leased (unix ms): older than `holdMs`, they are settled before any is used. */
  leasedAt: number;
  /** Used in this second, and in the one before: what a lease asks for ahead. */
  used: number;
  pace: number;
  waiting: { allow: () => void; refuse: (error: unknown) => void }[];
  leasing: boolean;
  /** Refuse without asking until this time (unix ms): the window was full and nobody held tokens to give back. */
  fullUntil: number;
  /** When the window has room again (unix ms), for the refusal's words. */
  roomAt: number;
  lookBack: NodeJS.Timeout | undefined;
}

const holdMs = 1_000;
const askAgainMs = 50;
/** How long a full window is taken as full without asking. */
const lookAgainMs = 250;
const mostAhead = 64;
/** Uses in a second from which on the next second's tokens are fetched before anybody asks for them. */
const steady = 3;

export function createKeyRateLimiter(database: ConnectedDatabase, clock: Clock, log: Log): KeyRateLimiter {
  const node = newId().slice(-12);
  const shares = new Map<string, Share>();
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);

  const change = createKeyLedgers(database);

  const shareOf = (keyId: string): Share => {
    const known = shares.get(keyId);
    if (known) return known;
    const made: Share = {
      tokens: 0,
      leasedAt: 0,
      used: 0,
      pace: 0,
      waiting: [],
      leasing: false,
      fullUntil: 0,
      roomAt: 0,
      lookBack: undefined,
    };
    shares.set(keyId, made);
    return made;
  };

  /** Asked after waiting for the database: calls may have come meanwhile. */
  const isIdle = ({ waiting, leasing, tokens, pace, fullUntil }: Share): boolean =>
    waiting.length === 0 && !leasing && tokens === 0 && pace === 0 && fullUntil <= clock.now().getTime();

  const lookBackLater = (keyId: string, share: Share): void => {
    share.lookBack ??= setTimeout(() => void lookBack(keyId, share), holdMs).unref();
  };

  /** A second is over: what it left is given back, in one change with the next second's lease where the key is in steady use. */
  const lookBack = async (keyId: string, share: Share): Promise<void> => {
    share.lookBack = undefined;
    if (share.leasing) return;
    share.pace = share.used;
    share.used = 0;
    if (share.pace >= steady) return leaseFor(keyId, share);
    await giveBack(keyId, share);
    if (isIdle(share)) shares.delete(keyId);
    else lookBackLater(keyId, share);
  };

  const giveBack = async (keyId: string, share: Share): Promise<void> => {
    const unused = share.tokens;
    share.tokens = 0;
    if (unused === 0) return;
    await change(keyId, (ledger) => ({ ledger: returnTokens(ledger, node, unused) })).catch((error: unknown) => {
      log.warn({ err: error }, 'giving request tokens back failed; they count as used');
    });
  };

  const refusal = (share: Share): SvcError => {
    const seconds = Math.max(1, Math.ceil((share.roomAt - clock.now().getTime()) / 1000));
    return makeError(
      'rate_limited',
      commonErrors.rate_limited,
      { limit: `${requestsPerMinute} per minute per key`, seconds },
      seconds,
    );
  };

  const leaseFor = async (keyId: string, share: Share): Promise<void> => {
    share.leasing = true;
    const deadline = Date.now() + (openSeconds + 1) * 1000;
    try {
      for (;;) {
        const unused = share.tokens;
        share.tokens = 0;
        const ahead = Math.min(mostAhead, Math.max(share.used, share.pace));
        let asked = 0;
        const answer: Reservation = await change(keyId, (ledger) => {
          asked = share.waiting.length;
          return reserveTokens(returnTokens(ledger, node, unused), node, asked, ahead, seconds());
        });
        share.tokens += answer.granted;
        share.leasedAt = clock.now().getTime();
        for (const { allow } of share.waiting.splice(0, share.tokens)) {
          share.tokens -= 1;
          share.used += 1;
          allow();
        }
        if (share.waiting.length === 0) break;
        // Who came while the lease was under way was not asked for: only a lease that fell short says that the window is full.
        if (answer.granted >= asked) continue;
        if (!answer.othersHold || Date.now() > deadline) {
          share.roomAt = clock.now().getTime() + answer.freeInSeconds * 1000;
          share.fullUntil = clock.now().getTime() + lookAgainMs;
          for (const { refuse } of share.waiting.splice(0)) refuse(refusal(share));
          break;
        }
        await pause(askAgainMs);
      }
    } catch (error) {
      for (const { refuse } of share.waiting.splice(0)) refuse(error);
    } finally {
      share.leasing = false;
      lookBackLater(keyId, share);
    }
  };

  return {
    async take(keyId) {
      const share = shareOf(keyId);
      // The timer that gives tokens back may be late: a token used long after its lease would stand in the wrong minute.
      const fresh = clock.now().getTime() - share.leasedAt < holdMs;
      if (share.tokens > 0 && fresh && !share.leasing) {
        share.tokens -= 1;
        share.used += 1;
        return;
      }
      if (share.fullUntil > clock.now().getTime()) throw refusal(share);
      await new Promise<void>((allow, refuse) => {
        share.waiting.push({ allow, refuse });
        if (!share.leasing) void leaseFor(keyId, share);
      });
    },
    async status(db, keyId) {
      const [row] = await db.rows<{ ledger: string }>('SELECT ledger FROM svc_ceiling WHERE key_id = ?', [
        idBytes(keyId),
      ]);
      const { remaining, resetsAt } = statusOf(readLedger(row?.ledger ?? ''), seconds());
      return {
        limit: requestsPerMinute,
        remaining: remaining + (shares.get(keyId)?.tokens ?? 0),
        resetsAt: new Date(resetsAt * 1000),
      };
    },
    async stop() {
      await Promise.all(
        [...shares].map(async ([keyId, share]) => {
          clearTimeout(share.lookBack);
          if (!share.leasing) await giveBack(keyId, share);
        }),
      );
    },
  };
}
