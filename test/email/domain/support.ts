import type { DomainValue } from '#plugins/email/domains/resources.js';
import type { Api } from '#test/support/api.js';
import { useDns, type TestDns } from '#test/support/dns.js';
import type { TestPlatform } from '#test/support/platform.js';
import { useMail, type MailTest } from '../support.js';

/** The settings of a deployment whose sending domains have all records. */
export const mailHosts = {
  SVC_MAIL_DOMAIN: 'mail.svc-test.com',
  SVC_MAIL_RETURN_HOST: 'bounces.svc-test.com',
  SVC_MAIL_SPF_INCLUDE: '_spf.relay-test.com',
  SVC_MAIL_INBOUND_HOST: 'inbound.svc-test.com',
} as const;

export interface DomainTest {
  readonly mail: MailTest;
  readonly platform: TestPlatform;
  readonly names: { readonly dns: TestDns };
}

/** A running svc with a name server and an SMTP receiver of this file. Call it inside `describe`. */
export function useDomains(settings: Record<string, string> = mailHosts): DomainTest {
  const names = useDns();
  const mail = useMail({ settings: async () => ({ ...settings, ...(await names.settings()) }) });
  return { mail, platform: mail.platform, names };
}

let made = 0;
/** A domain that no other test uses. */
export const freshDomain = (): string => `shop-${process.pid}-${(made += 1)}.example.com`;

/** Registers a domain. */
export const addDomain = async (svc: Api, domain = freshDomain()): Promise<DomainValue> =>
  (await svc.call('email.domain.add', { domain })).domain;

/** Registers a domain, publishes its records and verifies it. */
export async function verifiedDomain(svc: Api, dns: TestDns, domain = freshDomain()): Promise<DomainValue> {
  const added = await addDomain(svc, domain);
  dns.publish(added.records);
  return (await svc.call('email.domain.verify', { domainId: added.id })).domain;
}

/** The record of a purpose; of several the one whose type or name has `part`. */
export function recordOf({ records }: DomainValue, purpose: string, part = ''): DomainValue['records'][number] {
  const found = records.find((each) => each.purpose === purpose && `${each.type} ${each.name}`.includes(part));
  if (!found) throw new Error(`There is no ${purpose} record.`);
  return found;
}
