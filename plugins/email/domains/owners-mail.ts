import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { EmailSystemTemplate } from '#core/kernel/system-template.js';
import { directory } from '#plugins/account/ports.js';
import { transactionalMail } from '../ports.js';
import type { DomainRow } from '../tables/domain.js';

/** Mails the account’s owners what the last check of a domain did not find. */
export async function warnOwners(
  context: Pick<Context, 'use'>,
  environment: Environment,
  { domain, lastCheck }: DomainRow,
  template: EmailSystemTemplate,
): Promise<void> {
  const missing = lastCheck?.records.filter(({ ok }) => !ok) ?? [];
  await mailOwners(context, environment, template, { domain, records: missing });
}

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
    projectName: project.name,
    records: records.map(({ type, name }) => `${type} ${name}`).join(', '),
  };
  for (const to of await use(directory).ownerAddresses(environment.accountId))
    await use(transactionalMail).queue(environment, { template, to, variables }).catch(ignoreRefusal);
}

/** The environment's budget of system mail may be used up: the check is recorded all the same, and its event tells. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SvcError)) throw error;
}
