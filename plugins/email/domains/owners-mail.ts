import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import { directory } from '#plugins/account/ports.js';
import { transactionalMail } from '../ports.js';
import { failedMail, newRecordsMail, pendingMail, unsignedMail } from './mail-texts.js';
import type { DomainValue } from './resources.js';
import { signingKeys } from './rotation.js';
import type { LoadedDomain } from './store.js';

/**
 * Mails the account’s owners what a check has changed: records that went missing or are now required, no signatures, or
 * that the domain failed.
 */
export async function warnOwners(
  context: Pick<Context, 'use'>,
  environment: Environment,
  before: LoadedDomain,
  after: LoadedDomain,
  { domain, records }: DomainValue,
): Promise<void> {
  const tell = (template: EmailSystemTemplate, about: DomainValue['records']): Promise<void> =>
    mailOwners(context, environment, template, { domain, records: about });
  const missing = records.filter(({ ok }) => ok === false);
  const required = missing.filter((record) => record.required);
  const [from, to] = [before.row.status, after.row.status];
  if (to === 'failed') {
    if (from !== to) await tell(failedMail, required);
    return;
  }
  const signs = ({ keys }: LoadedDomain): boolean => signingKeys(keys).length > 0;
  const isNew = ({ type, name, value }: DomainValue['records'][number]): boolean =>
    before.row.lastCheck?.records.some(
      (each) => each.type === type && each.name === name && each.expected === value,
    ) !== true;
  const gone = required.filter((record) => !isNew(record));
  const isBroken = from === 'verified' && to === 'pending';
  if (before.row.provenDomain !== null && signs(before) && !signs(after))
    await tell(unsignedMail, [...missing.filter(({ purpose }) => purpose === 'dkim'), ...gone.filter(isNoKey)]);
  else if (isBroken && gone.length > 0) await tell(pendingMail, gone);
  const added = required.filter(isNew);
  if (isBroken && added.length > 0) await tell(newRecordsMail, added);
}

const isNoKey = ({ purpose }: DomainValue['records'][number]): boolean => purpose !== 'dkim';

/** Mails the account’s owners about records of a domain. */
export async function mailOwners(
  { use }: Pick<Context, 'use'>,
  environment: Environment,
  template: EmailSystemTemplate,
  { domain, records }: { domain: string; records: readonly { readonly type: string; readonly name: string }[] },
): Promise<void> {
  if (environment.closedAt) return;
  const { project } = await use(directory).describe(environment);
  const variables = {
    domain,
    projectName: shownName(project.name),
    records: records.map(({ type, name }) => `${type} ${name}`).join(', '),
  };
  for (const to of await use(directory).ownerAddresses(environment.accountId))
    await use(transactionalMail).queue(environment, { template, to, variables });
}
