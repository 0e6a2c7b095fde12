import type { DomainRow } from '../tables/domain.js';
import { expectedRecords, type ExpectedRecord, type KeyFacts, type MailHosts } from './records.js';
import type { DomainValue } from './resources.js';
import { signingKeys } from './rotation.js';
import { failsAt } from '../tables/domain-statuses.js';

/** A domain in the form of replies and events. */
export function presentDomain(row: DomainRow, keys: readonly KeyFacts[], hosts: MailHosts): DomainValue {
  const records = row.removedAt ? [] : expectedRecords(row, keys, hosts);
  return {
    id: row.id,
    domain: row.domain,
    status: row.status,
    providerStatus: row.removedAt ? 'unregistered' : row.provenDomain === null ? 'registered' : 'active',
    records: records.map((record) => {
      const { type, name, value, purpose, required } = record;
      return { type, name, value, purpose, required, ok: isFound(row, record) };
    }),
    receiving: row.receiving,
    blocker: row.removedAt ? null : blockerOf(row, records, keys, hosts),
    lastCheck: row.lastCheck,
    lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Whether the last check found a record; null if it did not look for it, or looked for another value. */
function isFound({ lastCheck }: DomainRow, { type, name, value }: ExpectedRecord): boolean | null {
  const checked = lastCheck?.records.find(
    (each) => each.type === type && each.name === name && each.expected === value,
  );
  return checked?.ok ?? null;
}

function blockerOf(
  row: DomainRow,
  records: readonly ExpectedRecord[],
  keys: readonly KeyFacts[],
  hosts: MailHosts,
): string | null {
  const missing = records.filter((record) => record.required && isFound(row, record) === false);
  const named = missing.map(({ type, name }) => `${type} ${name}`).join(', ');
  const inbound = records.find(({ purpose }) => purpose === 'receiving');
  const problems = [
    row.status !== 'verified' &&
      row.lastCheck?.ok === true &&
      'Another environment of this deployment has verified the domain: call email.domain.remove there, or wait 72 hours, and then email.domain.verify.',
    row.status !== 'verified' &&
      row.lastCheck?.ok !== true &&
      (missing.length > 0
        ? `These required records do not resolve as expected: ${named}. Publish them as shown in \`records\`, then call email.domain.verify.`
        : 'Publish the required records, then call email.domain.verify.'),
    row.provenDomain !== null &&
      row.pendingSince !== null &&
      (signingKeys(keys).length === 0
        ? `No DKIM record resolves, since ${row.pendingSince.toISOString()} or later. Until ${failsAt(row.pendingSince).toISOString()}, mail with a topic waits and other mail is sent unsigned; after that, mail from ${row.domain} is no longer accepted.`
        : `Records have been missing since ${row.pendingSince.toISOString()}: mail from ${row.domain} is accepted until ${failsAt(row.pendingSince).toISOString()}.`),
    // Mail from a verified domain is sent without them: a startup notice states what the operator has not set.
    row.status !== 'verified' &&
      hosts.mailReturnHost === undefined &&
      'There are no return path records, because the operator has not set SVC_MAIL_RETURN_HOST. Bounces go to the from address.',
    row.status !== 'verified' &&
      hosts.mailReturnHost !== undefined &&
      hosts.mailSpfInclude === undefined &&
      'There is no SPF record, because the operator has not set SVC_MAIL_SPF_INCLUDE.',
    row.receiving &&
      hosts.mailInboundHost === undefined &&
      'Mail cannot be received, because the operator has not set SVC_MAIL_INBOUND_HOST.',
    inbound &&
      isFound(row, inbound) !== true &&
      `Mail cannot be received until the MX record at ${inbound.name} resolves. Publish it, then call email.domain.verify.`,
  ].filter((problem) => typeof problem === 'string');
  return problems.length === 0 ? null : problems.join(' ');
}
