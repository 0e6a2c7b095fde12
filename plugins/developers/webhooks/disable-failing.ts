import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { directory, environmentNames } from '#plugins/account/ports.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { presentEndpoint } from './endpoints.js';
import { disabledMail } from './disabled-mail.js';
import { failuresSince, lastAttemptAt } from './health.js';
import { webhooks } from '../tables/webhook.js';

/** An endpoint that has failed every attempt for this long is disabled. */
export const disabledAfterMs = 5 * dayMs;

/**
 * Disables an endpoint that has failed every attempt for five days, emits the event and mails the account's owners. The
 * attempts decide, not only the time that its row has: a single failure never disables an endpoint. If an attempt has
 * succeeded since that time, the five days start again.
 */
export async function disableFailing(
  context: Context<'developers.webhook.disabled'>,
  environment: Environment,
  endpointId: string,
): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const [row] = await db.rows<{ failing_since: Date }>(
    "SELECT failing_since FROM developers_webhook WHERE id = ? AND status = 'enabled' AND failing_since <= ? FOR UPDATE",
    [idBytes(endpointId), shift(now, -disabledAfterMs)],
  );
  if (!row) return;
  const deliveredAt = await lastAttemptAt(db, endpointId, 'delivered');
  if (deliveredAt && deliveredAt > row.failing_since) {
    await db.run('UPDATE developers_webhook SET failing_since = ? WHERE id = ?', [now, idBytes(endpointId)]);
    return;
  }
  if ((await failuresSince(db, endpointId, shift(now, -dayMs))) < 2) return;
  await db.run("UPDATE developers_webhook SET status = 'disabled', failing_since = NULL, updated_at = ? WHERE id = ?", [
    now,
    idBytes(endpointId),
  ]);
  await announce(context, environment, endpointId, 'failing');
}

/**
 * Disables an endpoint that answered 410, as disableFailing does. An endpoint that was changed or enabled since the
 * attempt began stays enabled: its next delivery shows whether it is still gone.
 * @param url the address that answered
 * @param at when the attempt began
 */
export async function disableGone(
  context: Context<'developers.webhook.disabled'>,
  environment: Environment,
  endpointId: string,
  url: string,
  at: Date,
): Promise<void> {
  const { affectedRows } = await context.db.run(
    `UPDATE developers_webhook SET status = 'disabled', failing_since = NULL, updated_at = ?
     WHERE id = ? AND status = 'enabled' AND url = ? AND updated_at <= ?`,
    [context.clock.now(), idBytes(endpointId), url, at],
  );
  if (affectedRows === 1) await announce(context, environment, endpointId, 'gone');
}

/** Writes the audit record and the event, and mails the account's owners. */
async function announce(
  { db, clock, use, emit, auditOwn }: Context<'developers.webhook.disabled'>,
  environment: Environment,
  endpointId: string,
  reason: 'failing' | 'gone',
): Promise<void> {
  const row = await db.findOne(webhooks, { id: endpointId });
  if (!row) return;
  auditOwn(environment, {
    operation: 'developers.webhook.disable',
    subject: { type: 'webhook', id: endpointId },
    summary: `Disabled the webhook endpoint ${row.url}: it ${reason === 'gone' ? 'answered 410 Gone' : 'accepted no delivery for five days'}.`,
    changes: [{ field: 'status', from: 'enabled', to: 'disabled' }],
  });
  emit(
    'developers.webhook.disabled',
    { subjectId: endpointId, data: { endpoint: presentEndpoint(row, clock.now()) } },
    environment,
  );
  if (environment.closedAt) return;
  const { project } = await use(directory).describe(environment);
  const variables = (formatTag: string): Record<string, string> => ({
    url: row.url,
    projectName: shownName(project.name),
    environment: textsFor(environmentNames, [formatTag]).texts[environment.kind],
    reason,
  });
  for (const to of await use(directory).ownerAddresses(environment.accountId))
    await use(transactionalMail).queue(environment, { template: disabledMail, to, variables });
}
