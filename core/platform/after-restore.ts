import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '#config/counted.js';
import { sequencePending } from '#core/kernel/events/sequencer.js';
import { eventsKind } from '#core/kernel/outgoing/events.js';
import type { Decision, Due, OutgoingKind, OutgoingPart } from '#core/kernel/outgoing/kind.js';
import type { Plugin } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { crashPoint } from '#core/runtime/fault.js';

/*
 * What an operator decides after a backup was restored, before workers start (scripts/after-restore.ts). Every batch is
 * a transaction with its audit record, and what is done is not found again: after a kill, the command is repeated.
 */

const label = 'npm run after-restore';
/** Leases that workers had when the backup was made end within this time. */
const leasesMs = 40_000;

/** Everything of the enabled products that leaves the deployment. */
export const outgoingKinds = (plugins: readonly Plugin[]): OutgoingKind[] => [
  ...plugins.flatMap(({ outgoing }) => outgoing ?? []),
  eventsKind(plugins.flatMap(({ consumes }) => consumes ?? [])),
];

/** What waits and what is held of one kind in one environment. */
export interface OutgoingLine extends Pick<OutgoingPart, 'environmentId' | 'due' | 'oldest' | 'newest'> {
  readonly kind: string;
  readonly byDue: boolean;
  readonly waiting: number;
  readonly held: number;
}

/** Reads what would go out, or is held. Writes nothing. */
export async function readOutgoing(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  kinds: readonly OutgoingKind[],
): Promise<OutgoingLine[]> {
  const lines = new Map<string, OutgoingLine>();
  for (const { name: kind, byDue = false, parts } of kinds)
    for (const { environmentId, isHeld, count, due, oldest, newest } of await parts(database, clock.now())) {
      const key = `${environmentId} ${kind}`;
      const known = lines.get(key);
      lines.set(key, {
        environmentId,
        kind,
        byDue,
        waiting: (known?.waiting ?? 0) + (isHeld ? 0 : count),
        held: (known?.held ?? 0) + (isHeld ? count : 0),
        due: (known?.due ?? 0) + due,
        oldest: known && known.oldest < oldest ? known.oldest : oldest,
        newest: known && known.newest > newest ? known.newest : newest,
      });
    }
  // By environment, in the order of the kinds.
  return [...lines.values()].sort((a, b) =>
    a.environmentId < b.environmentId ? -1 : a.environmentId > b.environmentId ? 1 : 0,
  );
}

/** What a decision is about. */
interface Wanted {
  readonly decision: Decision;
  readonly kinds: readonly OutgoingKind[];
  readonly environmentId?: string | undefined;
  readonly due: Due;
}

/**
 * Carries out a decision.
 * @param progress gets lines for people
 * @returns how much it changed
 * @throws Error if a worker has work of these kinds at the moment, after everything else was held
 */
export async function decideOutgoing(
  services: Services,
  plugins: readonly Plugin[],
  { decision, kinds, environmentId, due }: Wanted,
  progress: (line: string) => void,
): Promise<number> {
  const { database, clock, transaction } = services;
  if (decision === 'hold') {
    const consumers = plugins.flatMap(({ consumes }) => consumes ?? []);
    await sequencePending({ database, consumers, clock });
    for (const { queueAll } of kinds) await queueAll?.(services);
  }
  const decideAll = async (): Promise<number> => {
    let total = 0;
    for (const kind of kinds)
      for (const part of await kind.parts(database, clock.now())) {
        if (part.isHeld === (decision === 'hold')) continue;
        if (environmentId !== undefined && part.environmentId !== environmentId) continue;
        for (let done = 1; done > 0; total += done) {
          done = await transaction(label, (context) => kind.decide(context, decision, part, due));
          crashPoint('restore.batch');
        }
      }
    return total;
  };
  const free = async (): Promise<number> => {
    let inWork = 0;
    for (const kind of kinds) inWork += (await kind.free?.(database)) ?? 0;
    return inWork;
  };
  if (decision !== 'hold') return decideAll();
  let inWork = await free();
  let total = await decideAll();
  for (const began = performance.now(); inWork > 0; inWork = await free()) {
    if (performance.now() - began > leasesMs)
      throw new Error(
        `Workers have ${counted(inWork, 'item')} in work, which cannot be held. Everything else is held. Stop the workers, or wait five minutes if the backup is only minutes old, and run this command again.`,
      );
    if (total === 0 || performance.now() - began < 1_000)
      progress(`Waiting for ${counted(inWork, 'item')} that a worker had in work when the backup was made.`);
    await pause(1_000);
  }
  total += await decideAll();
  return total;
}
