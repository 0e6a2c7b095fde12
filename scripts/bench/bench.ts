import type { Stage } from './stage.js';

/** What one side did in one round. */
export interface Round {
  count: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** What the side's process took of CPU time; undefined where the system does not say. */
  cpuMs?: number;
}

/** One of the two that are compared. */
export interface Side {
  /** For the table: what ran. */
  readonly words: string;
  /** The process that does the work. */
  readonly pid: number;
  /** Works for about `ms` milliseconds. @throws when anything was refused or failed: a bench counts successes alone */
  round(ms: number): Promise<Round>;
}

/** svc and its floor, ready to run in turn. */
export interface Contest {
  readonly svc: Side;
  /** The least work that could do the same: what svc is measured against. */
  readonly floor: Side;
  /** Further findings, a line each, after the rounds. */
  notes?(): Promise<string[]>;
  close(): Promise<void>;
}

/** A comparison that `npm run bench` makes. Add one: a file under benches/, and its line in index.ts. */
export interface Bench {
  /** Short, for the command line: `npm run bench -- read`. */
  readonly name: string;
  /** svc's rate divided by the floor's must reach this. */
  readonly target: number;
  prepare(stage: Stage): Promise<Contest>;
}
