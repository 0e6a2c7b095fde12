import type { SettingValues } from '#config/declare.js';
import type { settings } from '../deployment/settings.js';
import { keyName, type DomainKeyRow } from '../tables/domain-key.js';
import type { DomainRow } from '../tables/domain.js';
import { requiredKey } from './rotation.js';
import type { recordPurposes, recordTypes } from './resources.js';

/** The hosts of the deployment that records point to. A record whose host is not set is left out. */
export type MailHosts = Pick<
  SettingValues<typeof settings>,
  'mailReturnHost' | 'mailSpfInclude' | 'mailInboundHost' | 'mailDomain'
>;

/** A DNS record that a domain should have. */
export interface ExpectedRecord {
  readonly type: (typeof recordTypes)[number];
  readonly name: string;
  readonly value: string;
  readonly purpose: (typeof recordPurposes)[number];
  /** The domain is verified only if it resolves. */
  readonly required: boolean;
}

/** The state of a DKIM key. A new key has no `resolved` and no `replacedAt` yet. */
export type KeyFacts = Pick<DomainKeyRow, 'selector' | 'algorithm' | 'publicKey'> &
  Partial<Pick<DomainKeyRow, 'resolved' | 'replacedAt'>>;

/** The value of a DKIM key's record (RFC 6376 §3.6.1). */
export const keyRecord = ({ algorithm, publicKey }: Pick<DomainKeyRow, 'algorithm' | 'publicKey'>): string =>
  `v=DKIM1; k=${algorithm}; p=${publicKey}`;

/**
 * Whether a record contains an RSA key. Any one of the domain's RSA keys proves ownership, also while keys are being
 * rotated.
 */
export const provesOwner = ({ purpose, value }: ExpectedRecord): boolean =>
  purpose === 'dkim' && value.includes(' k=rsa;');

/** The subdomain that receives bounces. */
export const returnDomain = (domain: string): string => `bounce.${domain}`;

const priority = 10;

/**
 * The records of a domain, in the order of their importance.
 * @param keys its DKIM keys; the RSA key that signs proves who owns the domain, the others are optional
 */
export function expectedRecords(
  { domain, receiving }: Pick<DomainRow, 'domain' | 'receiving'>,
  keys: readonly KeyFacts[],
  { mailReturnHost, mailSpfInclude, mailInboundHost }: MailHosts,
): ExpectedRecord[] {
  const needed = requiredKey(keys)?.selector;
  const dkim = keys.map((key) => ({
    type: 'TXT' as const,
    name: keyName(key.selector, domain),
    value: keyRecord(key),
    purpose: 'dkim' as const,
    required: key.selector === needed,
  }));
  const name = returnDomain(domain);
  const returnPath = { name, purpose: 'return_path', required: true } as const;
  return [
    ...dkim,
    ...(mailReturnHost === undefined
      ? []
      : [{ type: 'MX' as const, ...returnPath, value: `${priority} ${mailReturnHost}` }]),
    // It applies to the return path (RFC 7208 §2.4), so it is useless without one on the domain.
    ...(mailReturnHost === undefined || mailSpfInclude === undefined
      ? []
      : [{ type: 'TXT' as const, ...returnPath, value: `v=spf1 include:${mailSpfInclude} ~all` }]),
    {
      type: 'TXT',
      name: `_dmarc.${domain}`,
      value: 'v=DMARC1; p=none;',
      purpose: 'dmarc',
      required: false,
    },
    ...(receiving && mailInboundHost !== undefined
      ? [
          {
            type: 'MX' as const,
            name: domain,
            value: `${priority} ${mailInboundHost}`,
            purpose: 'receiving' as const,
            required: false,
          },
        ]
      : []),
  ];
}
