import type { Stage } from './stage.js';

/** The result of one side in one round. */
export interface Round {
  count: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** CPU time that the side's process used; undefined if the system does not report it. */
  cpuMs?: number;
}

/** One of the two sides of a comparison. */
export interface Side {
  /** What ran, for the report. */
  readonly words: string;
  /** The process that does the work, whose CPU time is measured. */
  readonly pid: number;
  /** Runs for about `ms` milliseconds. @throws if any call was refused or failed: only successes are measured */
  round(ms: number): Promise<Round>;
}

/** svc and its floor, ready to run alternately. */
export interface Contest {
  readonly svc: Side;
  /** The least work that achieves the same result, against which svc is measured. */
  readonly floor: Side;
  /** More results after the rounds, one line each. */
  notes?(): Promise<string[]>;
  close(): Promise<void>;
}

/** A comparison that `npm run bench` runs. To add one, write a file in benches/ and list it in rates.ts. */
export interface Bench {
  /** The name on the command line: `npm run bench -- read`. */
  readonly name: string;
  /** svc's rate divided by the floor's must reach this. */
  readonly target: number;
  prepare(stage: Stage): Promise<Contest>;
}
