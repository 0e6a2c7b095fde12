import type { JoinedLists } from '#core/kernel/operation-hints.js';
import {
  boolean,
  dateTime,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { domainStatuses } from '../tables/domain-statuses.js';

export const recordTypes = ['TXT', 'MX'] as const;
export const recordPurposes = ['ownership', 'dkim', 'return_path', 'dmarc', 'receiving'] as const;

export const domainStatus = oneOf(
  domainStatuses,
  'pending: required records do not resolve yet, or no longer; verified: they resolve; failed: they have not resolved for 72 hours.',
);

export const DomainCheck = object(
  {
    at: dateTime('When the records were looked up.'),
    ok: boolean('Whether every required record resolves.'),
    records: list(
      object({
        type: oneOf(recordTypes, 'The type of the DNS record.'),
        name: text('The name that was looked up.'),
        expected: text('The value that it should have, as in `records`.'),
        found: list(text(), 'The values that were found.'),
        ok: boolean('Whether a value is as expected.'),
        fix: nullable(text('What to change; null when it is as expected. “This value” is the one in `expected`.')),
      }),
      'One for each record.',
    ),
  },
  { description: 'What a look-up of the records found.' },
);

export const Domain = named(
  'Domain',
  object(
    {
      id: uuid('The domain’s id.'),
      domain: text('The domain, in lower case; international ones in their ASCII form.'),
      status: domainStatus,
      providerStatus: oneOf(
        ['unregistered', 'registered', 'active'],
        'registered: its keys are made; active: mail from it is accepted, also for 72 hours after a record went missing, and signed with the keys whose records resolve; unregistered: removed.',
      ),
      records: list(
        object({
          type: oneOf(recordTypes, 'The type of the DNS record.'),
          name: text('The full name.'),
          value: text(
            'The value as a zone file has it: that of an MX record is its priority and its host (`10 mx.example.com`), which most DNS panels take in two fields.',
          ),
          purpose: oneOf(
            recordPurposes,
            'dkim: the key that signatures are checked with, the one in RSA also proves who owns the domain; return_path: where bounces go; dmarc: what receivers do with mail that is not signed; receiving: inbound mail.',
          ),
          required: boolean('The domain is verified only when it resolves.'),
          ok: nullable(boolean('Whether the last check found it; null before the first.')),
        }),
        'The DNS records to publish.',
      ),
      receiving: boolean('Whether it takes inbound mail.'),
      blocker: nullable(text('What is in the way of sending or receiving, with the next step; null when nothing is.')),
      lastCheck: nullable(DomainCheck),
      lastCheckedAt: nullable(dateTime('When its records were looked up last.')),
      verifiedAt: nullable(dateTime('When it became verified; null while it never was.')),
      createdAt: dateTime('When it was added.'),
    },
    {
      description: 'A sending domain.',
      columns: ['id', 'domain', 'status', 'blocker', 'receiving', 'lastCheckedAt', 'verifiedAt', 'createdAt'],
    },
  ),
);

export type DomainValue = ValueOf<typeof Domain>;

/** The records to publish and the results of the last check are lists of the same records. */
export const recordsWithCheck = {
  list: 'domain.records',
  from: ['domain.lastCheck.records'],
  by: { type: 'type', name: 'name', expected: 'value' },
} as const satisfies JoinedLists;
