import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../../ports.js';
import type { Comparison } from '../operand.js';
import { isEquality, columnPredicate } from '../predicate.js';
import type { Test } from '../tree.js';
import { toDate } from './date.js';

/** When a contact was last sent a message. */
export function messageComparison(environmentId: string, channel: Channel, test: Test, now: Date): Comparison {
  const on = Buffer.from(channel);
  return {
    operand: {
      key: `message ${channel}`,
      value: 'p.last_sent_at',
      row: (id) => ({
        sql: `audience_message_tally p WHERE p.contact_id = ${id} AND p.channel = ?`,
        parameters: [on],
      }),
      range: {
        from: 'audience_message_tally p FORCE INDEX (last_sent_at) WHERE p.environment_id = ? AND p.channel = ?',
        parameters: [idBytes(environmentId), on],
        id: 'p.contact_id',
        ordered: true,
      },
    },
    predicate: columnPredicate(test, { encode: toDate }, now),
    whenMissing: false,
    isEquality: isEquality(test),
  };
}
