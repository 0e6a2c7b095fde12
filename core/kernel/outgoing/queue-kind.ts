import { releaseExpired } from '#core/runtime/work/claim.js';
import { countLeased, countWaiting, lockRows, removeHeld, setHeld } from '#core/runtime/work/held.js';
import { lanes, type Lane, type QueueRef } from '#core/runtime/work/queue.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { counted } from '#config/counted.js';
import type { Environment } from '../caller/caller.js';
import type { FullContext } from '../context.js';
import { findEnvironment } from '../environment/environment.js';
import type { Decision, OutgoingKind, OutgoingPart } from './kind.js';

/** The most rows in one transaction: they are locked only briefly, and after a kill little is repeated. */
const atOnce = { hold: 500, release: 500, cancel: 100 } as const;

const did: Readonly<Record<Decision, string>> = { hold: 'Held', release: 'Released', cancel: 'Cancelled' };

/** Outgoing work whose rows wait in a queue. */
interface QueuedKind extends Pick<OutgoingKind, 'name' | 'byDue' | 'insteadOfCancel' | 'queueAll'> {
  readonly queue: QueueRef;
  /** The lanes that it is in. Default: all. */
  readonly lanes?: readonly Lane[];
  /** One of it and several, for audit records. */
  readonly one: string;
  readonly several: string;
  /** The operation under which people find what was decided. */
  readonly operation: string;
  /**
   * The environments that partitions of the queue belong to, or those that get the audit records of an account.
   * Partitions that it does not return are not of this kind.
   */
  environmentsOf(db: ReadSession, partitionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ends work for good, and its rows. Its rows are locked. Absent if that must not be done here. */
  cancel?(context: FullContext, environment: Environment, ids: readonly string[]): Promise<void>;
}

/** Ids begin with the milliseconds of the time at which they were made (core/runtime/id.ts). */
const timeOfId = (id: Buffer): Date => new Date(id.readUIntBE(0, 6));

/** A kind of outgoing work that waits in a queue: its rows are held (core/runtime/work/held.ts). */
export function queuedKind(kind: QueuedKind): OutgoingKind {
  const { queue, one, operation } = kind;
  const ofLanes = (kind.lanes ?? (['system', 'transactional', 'bulk'] as const)).map((lane) => lanes[lane]);

  return {
    name: kind.name,
    ...(kind.byDue && { byDue: kind.byDue }),
    ...(kind.insteadOfCancel !== undefined && { insteadOfCancel: kind.insteadOfCancel }),
    ...(kind.queueAll && { queueAll: kind.queueAll }),
    async parts(db, now) {
      const rows = (await countWaiting(db, queue, now)).filter(({ lane }) => ofLanes.some((each) => each === lane));
      const environments = await kind.environmentsOf(db, [...new Set(rows.map(({ partitionId }) => partitionId))]);
      return rows.flatMap(({ partitionId, lane, isHeld, count, due, ...row }): OutgoingPart[] => {
        const environmentId = environments.get(partitionId);
        if (environmentId === undefined) return [];
        const [oldest, newest] = kind.byDue
          ? [row.firstDue, row.lastDue]
          : [timeOfId(row.firstId), timeOfId(row.lastId)];
        return [{ environmentId, isHeld, id: partitionId, lane, count, due, oldest, newest }];
      });
    },
    async free(database) {
      for (let freed = 1; freed > 0;) freed = await releaseExpired(database, queue);
      return countLeased(database, queue, ofLanes);
    },
    async decide(context, decision, part, due) {
      const { db } = context;
      const state = decision === 'hold' ? 'waiting' : 'held';
      const ids = await lockRows(db, queue, state, part, due, atOnce[decision]);
      const environment = ids.length === 0 ? null : await findEnvironment(db, part.environmentId);
      if (!environment) return 0;
      context.actIn(environment);
      if (decision === 'cancel') {
        await kind.cancel?.(context, environment, ids);
        await removeHeld(db, queue, ids);
      } else await setHeld(db, queue, ids, decision === 'hold');
      context.auditOwn(environment, {
        operation,
        subject: { type: 'environment', id: environment.id },
        summary: `${did[decision]} ${counted(ids.length, one, kind.several)} of a restored backup.`,
      });
      return ids.length;
    },
  };
}
