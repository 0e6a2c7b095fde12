import { channels } from '../channels.js';
import type { Channel } from '../ports.js';
import type { Field, Tree } from './tree.js';

/** What audience.contact.list narrows by, beside a segment. */
export interface ContactFilter {
  topic?: string | undefined;
  channel?: Channel | undefined;
  query?: string | undefined;
}

/** The filters as trees, so that they are found the way segments are. */
export function filterTree({ topic, channel, query }: ContactFilter): Tree[] {
  return [
    ...(topic !== undefined ? [consent(topic, channel)] : []),
    ...(topic === undefined && channel !== undefined ? [leaf({ of: 'channelConsent', channel })] : []),
    ...(query !== undefined ? [beginning(query)] : []),
  ];
}

const leaf = (field: Field): Tree => ({ is: 'leaf', field, test: { op: 'exists' } });

const consent = (topic: string, on: Channel | undefined): Tree => ({
  is: 'any',
  of: channels
    .filter((channel) => on === undefined || channel === on)
    .map((channel) => ({
      is: 'leaf',
      field: { of: 'consent', channel, topic },
      test: { op: 'in', values: ['granted'] },
    })),
});

/** Addresses and names in any case, external ids exactly, numbers however they are spaced. */
function beginning(query: string): Tree {
  const text = query.normalize('NFC');
  const digits = text.replaceAll(/[\s().\-\u00a0]/g, '');
  const begins = (of: 'email' | 'phone' | 'externalId' | 'firstName' | 'lastName', value: string): Tree => ({
    is: 'leaf',
    field: { of },
    test: { op: 'starts_with', value },
  });
  return {
    is: 'any',
    of: [
      begins('email', text.toLowerCase()),
      ...(digits.startsWith('+') ? [begins('phone', digits)] : []),
      begins('externalId', text),
      begins('firstName', text),
      begins('lastName', text),
    ],
  };
}
