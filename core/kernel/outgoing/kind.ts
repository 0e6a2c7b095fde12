import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Database } from '#core/runtime/database/session.js';
import type { FullContext } from '../context.js';
import type { WorkerServices } from '../worker-services.js';

/*
 * What leaves a deployment by itself once its workers start: mail, texts, webhook deliveries, charges. After a backup
 * was restored, an operator sees it and decides about it first (scripts/after-restore.ts).
 */

/** What the operator decides: hold what waits, then release or cancel what is held. */
export type Decision = 'hold' | 'release' | 'cancel';

/** Limits a decision by the time for which the work is planned. */
export interface Due {
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
}

/** Work of one kind and environment that waits, or that is held: for example a partition of a queue. */
export interface OutgoingPart {
  readonly environmentId: string;
  readonly isHeld: boolean;
  /** What `decide` finds it by. */
  readonly id: string;
  readonly lane: number;
  readonly count: number;
  /** How many are due now. */
  readonly due: number;
  /** When the oldest and the newest were accepted or, if the kind is `byDue`, are due. */
  readonly oldest: Date;
  readonly newest: Date;
}

/** A kind of work that leaves the deployment. */
export interface OutgoingKind {
  /** Its name in the command: `mail`. */
  readonly name: string;
  /** `oldest` and `newest` are due times, because the work does not tell when it was accepted. */
  readonly byDue?: true;
  /** What to do instead, if it must not be cancelled with this command. */
  readonly insteadOfCancel?: string;
  parts(db: ReadSession, now: Date): Promise<readonly OutgoingPart[]>;
  /** Before it is held: queues what recurring jobs would queue as soon as they run. */
  readonly queueAll?: (services: WorkerServices) => Promise<void>;
  /** Frees what a worker had in work when the backup was made. @returns how much a worker has in work now */
  readonly free?: (database: Database) => Promise<number>;
  /**
   * Carries out a decision for the next batch of a part, with an audit record in its environment.
   * @returns how much of it; 0 when nothing is left
   */
  decide(context: FullContext, decision: Decision, part: OutgoingPart, due: Due): Promise<number>;
}
