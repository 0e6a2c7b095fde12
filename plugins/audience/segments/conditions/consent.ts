import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../../ports.js';
import type { Comparison } from '../operand.js';
import { always, isEquality, columnPredicate } from '../predicate.js';
import type { Test } from '../tree.js';

const encode = (value: unknown): Buffer => Buffer.from(String(value));

/** The current consent to a topic: granted, revoked, or no value if nothing was ever recorded. */
export function consentComparison(
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  test: Test,
  now: Date,
): Comparison {
  const [on, under] = [Buffer.from(channel), Buffer.from(topic)];
  return {
    operand: {
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
    predicate: columnPredicate(test, { encode }, now),
    whenMissing: false,
    isEquality: isEquality(test),
  };
}

/** Whether the contact has granted consent to any topic on the channel. */
export function channelConsentComparison(environmentId: string, channel: Channel): Comparison {
  const on = Buffer.from(channel);
  return {
    operand: {
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
        hasDuplicates: true,
        ordered: false,
      },
    },
    predicate: always,
    whenMissing: false,
    isEquality: false,
  };
}
