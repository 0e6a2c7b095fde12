import { refusalOf } from '#core/kernel/errors/common.js';

const mebibyte = 1024 * 1024;

/** Bytes of request bodies that the process holds at a time, in total and for one client address or environment. */
const processBytes = 192 * mebibyte;
const holderBytes = 64 * mebibyte;
/**
 * The start of each body is not counted: small calls pass while large ones use the budget up, and the limit of
 * connections bounds them.
 */
const freeBytes = 64 * 1024;

/** One body's part of the budget. */
export interface BodyShare {
  /** Counts bytes that arrived. @throws rate_limited when the budget of the process or of a holder is used up */
  add(bytes: number): void;
  /** Gives everything back. */
  close(): void;
}

/** Opens a share. @param holders the owners that the body is counted for: the client address, the environment */
export type BodyBudget = (holders: readonly string[]) => BodyShare;

/**
 * The budget of body bytes that are held at a time, from their arrival to the answer. In memory, per process: it
 * protects this process's memory.
 */
export function createBodyBudget(): BodyBudget {
  let used = 0;
  const usedBy = new Map<string, number>();

  return (holders) => {
    let size = 0;
    let counted = 0;
    const count = (bytes: number): void => {
      used += bytes;
      counted += bytes;
      for (const holder of holders) {
        const now = (usedBy.get(holder) ?? 0) + bytes;
        if (now === 0) usedBy.delete(holder);
        else usedBy.set(holder, now);
      }
    };
    return {
      add(bytes) {
        size += bytes;
        const more = Math.max(0, size - freeBytes) - counted;
        if (more === 0) return;
        if (holders.some((holder) => (usedBy.get(holder) ?? 0) + more > holderBytes)) throw full(holderBytes, 'caller');
        if (used + more > processBytes) throw full(processBytes, 'server process');
        count(more);
      },
      close() {
        if (counted > 0) count(-counted);
      },
    };
  };
}

const full = (bytes: number, whose: string): Error =>
  refusalOf.rate_limited({ limit: `${bytes / mebibyte} MiB of request bodies at once per ${whose}`, seconds: 1 });
