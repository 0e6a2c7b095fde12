import type { AuditEntry } from '#core/kernel/context.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { addSuppressionOf, liftSuppression } from '../suppressions/store.js';
import type { ChannelChanges } from './input.js';
import { activeSuppressionsOn, isUndoneByPreferences } from './present.js';
import type { ResolvedLink } from './token.js';
import type { PreferencesContext } from './unsubscribe.js';

/**
 * Applies what the reader of a mailbox wants that belongs to no contact now: an opt-out from anything suppresses the
 * address, whoever gets it later, and `unsubscribeAll: false` lifts that.
 * @returns the entry for the audit record
 * @throws invalid_input for another channel, and for a subscription, which needs a contact
 */
export async function changeForNobody(
  context: PreferencesContext,
  link: ResolvedLink & { nobody: NonNullable<ResolvedLink['nobody']> },
  changes: readonly ChannelChanges[],
): Promise<AuditEntry> {
  const { environment, nobody } = link;
  const done: { from: boolean; to: boolean; suppressionId: string }[] = [];
  for (const { channel, topics, unsubscribeAll } of changes) {
    if (channel !== nobody.channel) throw invalidField(channel, 'cannot be set: the link is for another channel');
    if (topics.some(([, subscribe]) => subscribe))
      throw invalidField(channel, 'cannot be set: nobody has the address of this link now');
    if (unsubscribeAll === false) {
      const active = await activeSuppressionsOn(context, link, channel);
      for (const row of active.filter(({ reason }) => isUndoneByPreferences(reason)))
        if (await liftSuppression(context, row)) done.push({ from: true, to: false, suppressionId: row.id });
      continue;
    }
    const { row, added } = await addSuppressionOf(context, environment.id, {
      ...nobody,
      address: null,
      reason: 'unsubscribe',
      note: null,
    });
    if (added) done.push({ from: false, to: true, suppressionId: row.id });
  }
  const [first] = done;
  return {
    ...(first ? { subject: { type: 'suppression', id: first.suppressionId } } : {}),
    summary: `The reader of a mailbox that belongs to no contact ${first?.to === false ? 'allowed messages again' : 'unsubscribed'}.`,
    changes: done.map(({ from, to }) => ({ field: `unsubscribedAll.${nobody.channel}`, from, to })),
    unchanged: 'the address already had this state.',
  };
}
