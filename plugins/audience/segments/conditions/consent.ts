import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../../ports.js';
import type { CellTest } from '../operand.js';
import { always, isPoint, plainPredicate } from '../predicate.js';
import type { Test } from '../tree.js';

const stored = (value: unknown): Buffer => Buffer.from(String(value));

/** Where the contact stands under a topic: granted, revoked, or nothing was ever said. */
export function consentTest(
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  test: Test,
  now: Date,
): CellTest {
  const [on, under] = [Buffer.from(channel), Buffer.from(topic)];
  return {
    cell: {
      key: `consent ${channel} ${topic}`,
      value: 'p.state',
      row: (id) => ({
        sql: `audience_consent p WHERE p.contact_id = ${id} AND p.channel = ? AND p.topic = ?`,
        parameters: [on, under],
      }),
      range: {
        from: 'audience_consent p FORCE INDEX (topic) WHERE p.environment_id = ? AND p.topic = ? AND p.channel = ?',
        parameters: [idBytes(environmentId), under, on],
        id: 'p.contact_id',
        ordered: true,
      },
    },
    predicate: plainPredicate(test, { stored }, now),
    otherwise: false,
    point: isPoint(test),
  };
}

/** Has the contact granted anything on the channel? */
export function channelConsentTest(environmentId: string, channel: Channel): CellTest {
  const on = Buffer.from(channel);
  return {
    cell: {
      key: `consent ${channel}`,
      value: 'p.state',
      row: (id) => ({
        sql: `audience_consent p WHERE p.contact_id = ${id} AND p.channel = ? AND p.state = 'granted' LIMIT 1`,
        parameters: [on],
      }),
      range: {
        from: `audience_topic t STRAIGHT_JOIN audience_consent p FORCE INDEX (topic)
          ON p.environment_id = t.environment_id AND p.topic = t.topic AND p.channel = ? AND p.state = 'granted'
          WHERE t.environment_id = ?`,
        parameters: [on, idBytes(environmentId)],
        id: 'p.contact_id',
        repeats: true,
        ordered: false,
      },
    },
    predicate: always,
    otherwise: false,
    point: false,
  };
}
