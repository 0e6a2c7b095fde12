import { owned } from '#core/kernel/environment/owned.js';
import {
  choiceColumn,
  exactColumn,
  flagColumn,
  idColumn,
  jsonColumn,
  nullable,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { domainStatuses } from './domain-statuses.js';

/** The result of looking up a domain's records, as email.domain.verify shows it. */
export interface DomainCheckValue {
  at: string;
  ok: boolean;
  records: {
    type: 'TXT' | 'MX';
    name: string;
    expected: string;
    found: string[];
    ok: boolean;
    fix: string | null;
  }[];
}

/** A sending domain of a live environment. */
export const domains = owned(
  defineTable('email_domain', {
    id: idColumn(),
    environmentId: uuidColumn(),
    /** In lower case and ASCII. */
    domain: exactColumn(253),
    /** The domain until it is removed: an environment has a domain once. */
    activeDomain: nullable(exactColumn(253)),
    /**
     * The domain name while the domain is verified; null after it fails or is removed. The column is unique, so only
     * one environment of the deployment, together with its test environment, sends from a domain.
     */
    provenDomain: nullable(exactColumn(253)),
    status: choiceColumn(domainStatuses, 8),
    /** Whether it takes inbound mail. */
    receiving: flagColumn(),
    /** Since when it is pending; null while it is not. */
    pendingSince: nullable(timeColumn()),
    lastCheck: nullable(jsonColumn<DomainCheckValue>()),
    lastCheckedAt: nullable(timeColumn()),
    /** When all required records last resolved after a time in which they had not. */
    verifiedAt: nullable(timeColumn()),
    createdAt: timeColumn(),
    removedAt: nullable(timeColumn()),
  }),
  { thing: 'sending domain', lookup: 'email.domain.list' },
);

export type DomainRow = RowOf<typeof domains>;
