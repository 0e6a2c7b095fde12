import { presentDomain } from './present.js';
import type { DomainValue } from './resources.js';
import type { DomainCheckValue } from '../tables/domain.js';
import { expectedRecords } from './records.js';

const hosts = {
  mailDomain: 'mail.example.com',
  mailReturnHost: 'bounces.example.com',
  mailSpfInclude: '_spf.relay.example.com',
  mailInboundHost: 'inbound.example.com',
};
const at = '2026-11-20T09:30:00.000Z';
const keys = [
  { selector: 'svc1', algorithm: 'rsa', publicKey: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAw…' },
  { selector: 'svc2', algorithm: 'ed25519', publicKey: 'G8pGkpVjLhDRe0ZJ6Z3TTNJ1T5l0d9kqxU2kqPp3wEo=' },
] as const;

const row = {
  id: '01890a5d-ac96-774b-bcce-b302099a8500',
  environmentId: '01890a5d-ac96-774b-bcce-b302099a8001',
  domain: 'example.org',
  activeDomain: 'example.org',
  provenDomain: null,
  status: 'pending',
  receiving: false,
  pendingSince: new Date(at),
  lastCheck: null,
  lastCheckedAt: null,
  verifiedAt: null,
  createdAt: new Date(at),
  removedAt: null,
} as const;

/** A domain whose records must still be published. */
export const exampleDomain: DomainValue = presentDomain(row, keys, hosts);

/** A check that found every record. */
export const exampleCheck: DomainCheckValue = {
  at,
  ok: true,
  records: expectedRecords(row, keys, hosts).map(({ type, name, value }) => ({
    type,
    name,
    expected: value,
    found: [value],
    ok: true,
    fix: null,
  })),
};

const verifiedRow = {
  ...row,
  status: 'verified',
  provenDomain: row.domain,
  pendingSince: null,
  lastCheck: exampleCheck,
  lastCheckedAt: new Date(at),
  verifiedAt: new Date(at),
} as const;

/** The same domain, verified. */
export const exampleVerified: DomainValue = presentDomain(verifiedRow, keys, hosts);

/** The same domain, with inbound mail turned on. */
export const exampleReceiving: DomainValue = presentDomain({ ...verifiedRow, receiving: true }, keys, hosts);

/** The same domain after a record went missing for 72 hours. */
export const exampleFailed: DomainValue = presentDomain(
  { ...verifiedRow, status: 'failed', provenDomain: null },
  keys,
  hosts,
);
/** The same domain within the 72 hours. */
export const examplePending: DomainValue = presentDomain({ ...verifiedRow, status: 'pending' }, keys, hosts);
/** The same domain, removed. */
export const exampleRemoved: DomainValue = presentDomain(
  { ...verifiedRow, provenDomain: null, removedAt: new Date(at) },
  [],
  hosts,
);
