import type { Caller } from '../caller/caller.js';

/** A limit of its own that an operation has, beside the per-key limit. Operations that share one name share one count. */
export interface NamedLimit {
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** For people and the description: “30 per hour per IP”. */
  readonly words: string;
  /** Whom it counts: what this returns is hashed before counting. */
  readonly by: (caller: Caller) => string;
}

/** A limit per client address. */
export const perIp = (limit: Omit<NamedLimit, 'by'>): NamedLimit => ({
  ...limit,
  by: (caller) => `ip:${caller.request.ip}`,
});
