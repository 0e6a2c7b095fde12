import type { Context } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { addressKey } from '../contacts/address.js';
import { contactAuditEntry } from '../contacts/audit.js';
import { planUpserts, requireResult, writeContacts } from '../contacts/upsert.js';
import type { SuppressionReason } from '../ports.js';
import { changeChannel } from '../preferences/change.js';
import type { PreferencesContext } from '../preferences/unsubscribe.js';
import { activeSuppressions } from '../suppressions/store.js';
import { isPersonalReason } from '../tables/suppression-reasons.js';
import { contacts, type ContactRow } from '../tables/contact.js';
import type { OpenForm } from './form.js';
import { filedUnder, formSource } from './request.js';
import type { PendingSubscription } from './token.js';

/**
 * What a confirmation did. `blocked`: the consent is recorded, but mail to the address is stopped for a reason that a
 * form does not undo. `void`: nothing, because the person opted out or was erased after the request.
 */
export type Confirmation = 'subscribed' | 'blocked' | 'void';

type ConfirmContext = PreferencesContext &
  Context<'audience.contact.created' | 'audience.contact.updated', 'account_closed' | 'contact_conflict'>;

/**
 * Subscribes the owner of an address, who has opened the link that was sent there and pressed the button. It lifts the
 * person's own unsubscribe. It lifts neither a complaint nor a bounce: for these, the preferences page explains what
 * happened. It is recorded as evidence, even if the contact already has the consent, such as from an import. Repeating
 * it changes nothing.
 * @param wording what the page shows above the button
 * @throws account_closed
 */
export async function confirmSubscription(
  context: ConfirmContext,
  { environment, topic }: OpenForm,
  pending: PendingSubscription,
  wording: string,
): Promise<Confirmation> {
  const { db, fail, audit } = context;
  if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
  const { email, requestedAt } = pending;
  const known = await db.findOne(contacts, { environmentId: environment.id, emailKey: addressKey('email', email) });
  const { results, writes } = await planUpserts(context, [fieldsOf(pending, known)], {
    environmentId: environment.id,
    acceptedAt: requestedAt,
    onConflict: 'update',
    fail,
  });
  if (results[0]?.outcome === 'erased') return 'void';
  const { contact, write } = requireResult(results[0]);
  const decided = write.before && (await decisionSince(db, contact.id, pending));
  const before = await activeSuppressions(context, environment.id, 'email', email);
  const isOptedOut = before.some(({ reason, createdAt }) => isPersonalReason(reason) && createdAt > requestedAt);
  if (decided === 'revoked' || isOptedOut) return 'void';
  if (decided === 'confirmed') return outcomeOf(before.map(({ reason }) => reason));

  await writeContacts(context, writes);
  const link = { contact, environment, message: { channel: 'email', topic: topic.topic } as const, expiresAt: null };
  const changed = await changeChannel(
    context,
    link,
    { channel: 'email', topics: [[topic.topic, true]], unsubscribeAll: undefined },
    { wording, keepsComplaint: true, renews: true },
  );
  const { changes, ...entry } = contactAuditEntry(write);
  const lifted = changed.lifted ? [{ field: 'unsubscribedAll.email', from: true, to: false }] : [];
  audit({
    ...entry,
    operation: filedUnder,
    summary: `The person confirmed a subscription to ${topic.topic}, requested with its form.`,
    changes: [...changes, ...lifted, ...changed.consents],
    unchanged: `the confirmation was recorded, but the person had already subscribed to ${topic.topic}.`,
  });
  const after = await activeSuppressions(context, environment.id, 'email', email);
  return outcomeOf(after.map(({ reason }) => reason));
}

const outcomeOf = (reasons: readonly SuppressionReason[]): Confirmation =>
  reasons.length > 0 ? 'blocked' : 'subscribed';

/** A known contact keeps its fields; a first name is added if there is none. */
function fieldsOf({ email, firstName, locale }: PendingSubscription, known: ContactRow | null) {
  const named = firstName === '' ? {} : { firstName };
  if (known === null) return { email, locale, ...named };
  return { email: known.email ?? email, ...(known.firstName === null ? named : {}) };
}

/**
 * What the contact last decided about the topic since the request. `confirmed`: by confirming this request or
 * another from the same page. Evidence of others that changed nothing is not a decision.
 */
async function decisionSince(
  db: Session,
  contactId: string,
  { topic, from, requestedAt }: PendingSubscription,
): Promise<'confirmed' | 'granted' | 'revoked' | null> {
  const confirmed = `actor_kind = 'public' AND source = ?`;
  const source = formSource(from);
  const [last] = await db.rows<{ state: Buffer; is_confirmed: number }>(
    `SELECT state, ${confirmed} AS is_confirmed FROM audience_consent_record
     WHERE contact_id = ? AND channel = 'email' AND topic = ? AND recorded_at > ?
       AND (effective = 1 OR state = 'revoked' OR (${confirmed})) ORDER BY ordinal DESC LIMIT 1`,
    [source, idBytes(contactId), Buffer.from(topic), requestedAt, source],
  );
  if (!last) return null;
  if (last.state.toString() === 'revoked') return 'revoked';
  return last.is_confirmed === 1 ? 'confirmed' : 'granted';
}
