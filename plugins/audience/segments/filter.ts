import { channels } from '../channels.js';
import type { Channel } from '../ports.js';
import type { Field, Tree } from './tree.js';

/** The filters of audience.contact.list besides a segment. */
interface ContactFilter {
  topic?: string | undefined;
  channel?: Channel | undefined;
  query?: string | undefined;
}

/** The filters as trees, so that they use the same planner as segments. */
export function filterTree({ topic, channel, query }: ContactFilter): Tree[] {
  return [
    ...(topic !== undefined ? [consent(topic, channel)] : []),
    ...(topic === undefined && channel !== undefined ? [exists({ of: 'channelConsent', channel })] : []),
    ...(query !== undefined ? [queryFilter(query)] : []),
  ];
}

const exists = (field: Field): Tree => ({ is: 'condition', field, test: { op: 'exists' } });

const consent = (topic: string, on: Channel | undefined): Tree => ({
  is: 'any',
  of: channels
    .filter((channel) => on === undefined || channel === on)
    .map((channel) => ({
      is: 'condition',
      field: { of: 'consent', channel, topic },
      test: { op: 'in', values: ['granted'] },
    })),
});

/** A prefix of an address or name in any case, an exact external id, or a prefix of a number in any format. */
function queryFilter(query: string): Tree {
  const text = query.normalize('NFC');
  const digits = text.replaceAll(/[\s().\-\u00a0]/g, '');
  const startsWith = (of: 'email' | 'phone' | 'externalId' | 'firstName' | 'lastName', value: string): Tree => ({
    is: 'condition',
    field: { of },
    test: { op: 'starts_with', value },
  });
  return {
    is: 'any',
    of: [
      startsWith('email', text.toLowerCase()),
      ...(digits.startsWith('+') ? [startsWith('phone', digits)] : []),
      startsWith('externalId', text),
      startsWith('firstName', text),
      startsWith('lastName', text),
    ],
  };
}
