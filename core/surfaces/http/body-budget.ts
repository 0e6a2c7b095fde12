import { refusalOf } from '#core/kernel/errors/common.js';
import type { Holder } from '#core/runtime/holder.js';

const mebibyte = 1024 * 1024;

/**
 * Bytes of request bodies that the process holds at a time: in total, for one account, for one of its environments (its
 * test environments count as one), for one key, and for one client address. Each leaves some to the others: an account
 * half of the process.
 */
const processBytes = 192 * mebibyte;
const levels = [
  { most: 96 * mebibyte, whose: 'account, or of all callers without a key' },
  { most: 80 * mebibyte, whose: 'environment' },
  { most: 64 * mebibyte, whose: 'caller' },
] as const;
const addressBytes = 64 * mebibyte;
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

/** Opens a share. @param address the client's address group */
type BodyBudget = (holder: Holder, address: string) => BodyShare;

interface Part {
  readonly name: string;
  readonly most: number;
  readonly whose: string;
}

/** What a body counts for. Calls without a key share one part, as if they were an account. */
function partsOf(holder: Holder, address: string): Part[] {
  const ofLevels = levels.flatMap((level, index) =>
    index < holder.length ? [{ ...level, name: holder.slice(0, index + 1).join(' ') }] : [],
  );
  return [...ofLevels, { name: `address ${address}`, most: addressBytes, whose: 'IP address' }];
}

/**
 * The budget of body bytes that are held at a time, from their arrival to the answer. In memory, per process: it
 * protects this process's memory.
 */
export function createBodyBudget(): BodyBudget {
  let used = 0;
  const usedBy = new Map<string, number>();

  return (holder, address) => {
    let size = 0;
    let counted = 0;
    // Most bodies are small and count for nobody.
    let parts: readonly Part[] | undefined;
    const count = (bytes: number): void => {
      used += bytes;
      counted += bytes;
      for (const { name } of parts ?? []) {
        const now = (usedBy.get(name) ?? 0) + bytes;
        if (now === 0) usedBy.delete(name);
        else usedBy.set(name, now);
      }
    };
    return {
      add(bytes) {
        size += bytes;
        const more = Math.max(0, size - freeBytes) - counted;
        if (more === 0) return;
        parts ??= partsOf(holder, address);
        const reached = parts.find(({ name, most }) => (usedBy.get(name) ?? 0) + more > most);
        if (reached) throw full(reached.most, reached.whose);
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
