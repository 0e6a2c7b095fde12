import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { ReadinessProblem } from '#core/messaging/readiness.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SharedRead } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { directory } from '#plugins/account/ports.js';
import type { Sender } from '../resources.js';
import { settings } from '../deployment/settings.js';
import { senders, type SenderRow } from '../tables/sender.js';

/** The project's own sending domain, which is always verified: its slug under SVC_MAIL_DOMAIN. */
export async function projectDomain(
  { use, deployment }: Pick<Context, 'use' | 'deployment'>,
  environment: Environment,
): Promise<string> {
  return `${await use(directory).slug(environment.projectId)}.${deployment.settingsOf(settings).mailDomain}`;
}

/** What prevents marketing mail if the sender has no postal address. */
export const legalAddressMissing: ReadinessProblem = {
  code: 'legal_address_missing',
  message: 'No postal address is set; marketing mail must include one.',
  fix: 'Set legalAddress with email.sender.set.',
};

/** The default sender address. */
export const projectAddress = (domain: string): string => `hello@${domain}`;

const byEnvironment: SharedRead<string, SenderRow | null> = {
  parts: { environment_id: 'BINARY(16)' },
  sql: (asked) => `SELECT asked.place, ${senders.columnList('s')}
    FROM ${asked} STRAIGHT_JOIN email_sender s ON s.environment_id = asked.environment_id`,
  parametersOf: (environmentId) => [idBytes(environmentId)],
  foundIn: (row) => (row ? senders.decode(row) : null),
};

export const findSender = ({ db }: { readonly db: ReadSession }, environmentId: string): Promise<SenderRow | null> =>
  db.readShared(byEnvironment, environmentId);

export const presentSender = (row: SenderRow | null): ValueOf<typeof Sender> => ({
  from: row?.fromAddress ?? null,
  fromName: row?.fromName ?? null,
  replyTo: row?.replyTo ?? null,
  legalAddress: row?.legalAddress ?? null,
  updatedAt: row?.updatedAt.toISOString() ?? null,
});
