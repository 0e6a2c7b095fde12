import type { Agent } from 'undici';
import { createGate, type Gate } from './gate.js';

/** Connections that some requests share and no others use. */
export interface Pool {
  readonly agent: Promise<Agent>;
  readonly gate: Gate;
}

interface Pools {
  /** Runs `work` with the pool of that name, which is opened when it is needed. */
  use<T>(name: string, work: (pool: Pool) => Promise<T>): Promise<T>;
  /** How many pools are open. */
  count(): number;
  /** Closes every pool. */
  close(): Promise<void>;
}

/**
 * @param openAgent opens a pool's connections
 * @param connections connections to one origin in one pool
 * @param idleMs how long a pool is kept without a request
 */
export function createPools(openAgent: () => Promise<Agent>, connections: number, idleMs: number): Pools {
  const pools = new Map<string, Pool & { inUse: number; idleSince: number }>();
  const closeIdle = (): void => {
    const now = performance.now();
    for (const [name, { agent, inUse, idleSince }] of pools) {
      if (inUse > 0 || now - idleSince < idleMs) continue;
      pools.delete(name);
      void agent.then((each) => each.destroy()).catch(() => undefined);
    }
  };
  const sweep = setInterval(closeIdle, Math.max(50, idleMs / 2)).unref();

  const poolOf = (name: string): Pool & { inUse: number; idleSince: number } => {
    const known = pools.get(name);
    if (known) return known;
    const made = { agent: openAgent(), gate: createGate(connections), inUse: 0, idleSince: 0 };
    pools.set(name, made);
    return made;
  };

  return {
    async use(name, work) {
      const pool = poolOf(name);
      pool.inUse += 1;
      try {
        return await work(pool);
      } finally {
        pool.inUse -= 1;
        pool.idleSince = performance.now();
      }
    },
    count: () => pools.size,
    async close() {
      clearInterval(sweep);
      await Promise.all([...pools.values()].map(async ({ agent }) => (await agent).destroy()));
      pools.clear();
    },
  };
}
