import { dayOf } from '#core/runtime/clock.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { MessageFields, MessageStatus } from '../tables.js';
import {
  statCounters,
  type StatChangeRow,
  type StatDimension,
  type StatStatus,
  type StatTables,
} from '../stat-tables.js';

/** The fields that decide where a message is counted. */
export type CountedMessage = Pick<
  MessageFields,
  'environmentId' | 'template' | 'broadcastId' | 'automationId' | 'tags' | 'createdAt'
> & {
  /** On channels that send in segments. */
  readonly segments?: number;
};

/** Messages that changed their status. */
interface StatusMove {
  readonly message: CountedMessage;
  /** Null for messages that are accepted. */
  readonly from: MessageStatus | null;
  readonly to: MessageStatus;
  /** How many such messages, all counted alike; 1 by default. */
  readonly count?: number;
}

/**
 * The tag as counts name it. A tag may name a person, and counts outlive the erasure of a person, so only a digest is
 * kept.
 */
export const tagValue = (environmentId: string, tag: string): string =>
  sha256(Buffer.concat([idBytes(environmentId), Buffer.from(tag)]))
    .toString('hex')
    .slice(0, 32);

const countedAs = (status: MessageStatus): StatStatus =>
  status === 'held' || status === 'sending' ? 'queued' : status;

function dimensionsOf({
  environmentId,
  template,
  broadcastId,
  automationId,
  tags,
}: CountedMessage): [StatDimension, string][] {
  return [
    ['all', ''],
    ...(template === null ? [] : [['template', template] satisfies [StatDimension, string]]),
    ...(broadcastId === null ? [] : [['broadcast', broadcastId] satisfies [StatDimension, string]]),
    ...(automationId === null ? [] : [['automation', automationId] satisfies [StatDimension, string]]),
    ...Object.entries(tags).map(([name, value]): [StatDimension, string] => [
      'tag',
      tagValue(environmentId, `${name}=${value}`),
    ]),
  ];
}

/**
 * The statement that counts messages under their new statuses, to run in the transaction that changes them. Moves that
 * are counted in the same way share a row, so a batch of a broadcast's messages writes only a few rows.
 * @returns no statement if nothing changes
 */
export function countMoves({ changes }: Pick<StatTables, 'changes'>, moves: readonly StatusMove[]): Statement[] {
  const rows = new Map<string, StatChangeRow>();
  for (const { message, from, to, count = 1 } of moves) {
    const day = dayOf(message.createdAt);
    const { environmentId } = message;
    for (const [dimension, value] of dimensionsOf(message)) {
      const key = [environmentId, dimension, value, day].join(' ');
      const row = rows.get(key) ?? { id: newId(), environmentId, dimension, value, day, ...nothing };
      if (from !== null) row[countedAs(from)] -= count;
      row[countedAs(to)] += count;
      if (from === 'queued' && to === 'sent') row.segments += count * (message.segments ?? 0);
      rows.set(key, row);
    }
  }
  const changed = [...rows.values()].filter((row) => statCounters.some((counter) => row[counter] !== 0));
  return changed.length === 0 ? [] : [changes.insertRows(changed)];
}

/** The statement that counts a received message, to run in the transaction that stores it. */
export const countReceived = ({ changes }: Pick<StatTables, 'changes'>, environmentId: string, at: Date): Statement =>
  changes.insertRows([
    { id: newId(), environmentId, dimension: 'all', value: '', day: dayOf(at), ...nothing, received: 1 },
  ]);

const nothing = { queued: 0, sent: 0, failed: 0, suppressed: 0, bounced: 0, cancelled: 0, segments: 0, received: 0 };
