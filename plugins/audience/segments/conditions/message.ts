import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../../ports.js';
import type { CellTest } from '../operand.js';
import { isPoint, plainPredicate } from '../predicate.js';
import type { Test } from '../tree.js';
import { moment } from './date.js';

/** When a contact was last sent a message. */
export function messageTest(environmentId: string, channel: Channel, test: Test, now: Date): CellTest {
  const on = Buffer.from(channel);
  return {
    cell: {
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
    predicate: plainPredicate(test, { stored: moment }, now),
    otherwise: false,
    point: isPoint(test),
  };
}
