import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import type { Change } from '#core/kernel/context.js';
import type { PresentedBroadcast } from './present.js';

const shared = ['name', 'template', 'topic', 'segmentId', 'variables', 'scheduledAt'] as const;

/** The parts of a broadcast, on any channel. */
type Made = Pick<PresentedBroadcast, (typeof shared)[number]>;

/** The fields of a new broadcast, for its audit record. @param own the fields that its channel adds */
export const newBroadcastFields = <B extends Made, Own extends keyof B & string = never>(
  broadcast: B,
  own: readonly Own[] = [],
): Change[] => {
  const hasVariables = Object.keys(broadcast.variables).length > 0;
  return newFields(broadcast, [...shared, ...own]).filter(({ field }) => field !== 'variables' || hasVariables);
};

/** What an update changed, for its audit record. @param own the fields that its channel adds */
export const broadcastChanges = <B extends Made, Own extends keyof B & string = never>(
  before: B,
  after: B,
  own: readonly Own[] = [],
): Change[] => changesBetween(before, after, [...shared, ...own]);
