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
  'pending: required records do not resolve yet or no longer resolve; verified: they resolve; failed: they have not resolved for 72 hours.',
);

export const DomainCheck = object(
  {
    at: dateTime('When the records were looked up.'),
    ok: boolean('Whether every required record resolves.'),
    records: list(
      object({
        type: oneOf(recordTypes, 'The type of the DNS record.'),
        name: text('The name that was looked up.'),
        expected: text('The expected value, as in `records`.'),
        found: list(text(), 'The values that were found.'),
        ok: boolean('Whether the expected value was found.'),
        fix: nullable(text('What to change; null if nothing. “This value” is the one in `expected`.')),
      }),
      'One result for each record.',
    ),
  },
  { description: 'What a lookup of the records found.' },
);

export const Domain = named(
  'Domain',
  object(
    {
      id: uuid('The domain’s id.'),
      domain: text('The domain in lower case; an internationalised domain in its ASCII form.'),
      status: domainStatus,
      providerStatus: oneOf(
        ['unregistered', 'registered', 'active'],
        'registered: its keys exist; active: mail from it is accepted, including for 72 hours after a record went missing, and signed with the keys whose records resolve; unregistered: removed.',
      ),
      records: list(
        object({
          type: oneOf(recordTypes, 'The type of the DNS record.'),
          name: text('The full name.'),
          value: text(
            'The value in zone file format. For an MX record it is the priority and the host (`10 mx.example.com`), which most DNS panels have as two fields.',
          ),
          purpose: oneOf(
            recordPurposes,
            'dkim: the key that signatures are verified with, the RSA key also proves who owns the domain; return_path: where bounces go; dmarc: what receivers do with mail that is not signed; receiving: inbound mail.',
          ),
          required: boolean('The domain is verified only when it resolves.'),
          ok: nullable(boolean('Whether the last check found it; null before the first check.')),
        }),
        'The DNS records to publish.',
      ),
      receiving: boolean('Whether it receives inbound mail.'),
      blocker: nullable(text('What prevents sending or receiving, with the next step; null if nothing does.')),
      lastCheck: nullable(DomainCheck),
      lastCheckedAt: nullable(dateTime('When its records were last looked up.')),
      verifiedAt: nullable(dateTime('When it became verified; null if it never was.')),
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
