import type { Context } from '#core/kernel/context.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { changesIn, grantConsents } from '../consents/append.js';
import { loadHistory } from '../consents/history.js';
import { contactAuditEntry } from '../contacts/audit.js';
import { planUpserts, requireResult, writeContacts } from '../contacts/upsert.js';
import type { OpenForm } from './form.js';
import { confirmationMail } from './mail.js';
import { sealSubscription, type PendingSubscription } from './token.js';

/** What somebody entered in a form. */
export interface Entered extends Pick<PendingSubscription, 'email' | 'firstName' | 'locale' | 'from'> {
  /** The words that the form showed for the consent; null if they are not known. Double opt-in does not need them. */
  wording: string | null;
}

type RequestContext = Context<
  'audience.contact.created' | 'audience.contact.updated' | 'audience.consent.granted',
  'account_closed' | 'contact_conflict'
>;

/** The operation that a person's own choices are filed under in audit records. */
export const filedUnder = 'audience.preferences.set';

/** The `source` of consent records made through a form. @param from the web page with the form */
export const formSource = (from: string): string => `subscribe form ${from}`.slice(0, 200);

/**
 * Accepts a form. With double opt-in, it only queues the mail, and does not check whether the address is subscribed, so
 * that neither the answer nor its time reveals that. Without it, the consent is recorded now, unless the address opted
 * out before: then only its owner can subscribe again, by the same mail.
 * @throws account_closed; auth_send_limited; provider_not_configured without the product email
 */
export async function requestSubscription(context: RequestContext, form: OpenForm, entered: Entered): Promise<void> {
  const { environment, topic, settings } = form;
  if (environment.closedAt) throw context.fail.account_closed({ reopen: 'account.reopen' });
  if (!settings.doubleOptIn && (await subscribeNow(context, form, entered))) return;
  const { email, firstName, locale, from } = entered;
  const pending = { environmentId: environment.id, topic: topic.topic, email, firstName, locale, from };
  const token = sealSubscription(context.vault, { ...pending, requestedAt: context.clock.now() });
  const url = `${context.deployment.baseUrl}/subscribe/confirm?token=${token}`;
  await context.use(transactionalMail).queue(environment, confirmationMail(topic, { email, locale, url }));
  // The address is not part of the record: nobody has confirmed that it belongs to the visitor.
  context.audit({
    operation: filedUnder,
    subject: { type: 'topic', id: topic.topic },
    summary: `A visitor asked to subscribe to ${topic.topic} with its form. A mail asks for confirmation.`,
  });
}

/** @returns false if the address opted out before, in which case nothing was written */
async function subscribeNow(
  context: RequestContext,
  { environment, topic }: OpenForm,
  { email, firstName, locale, from, wording }: Entered,
): Promise<boolean> {
  const { db, clock, caller, fail, audit } = context;
  const input = { email, locale, ...(firstName === '' ? {} : { firstName }) };
  const { results, writes } = await planUpserts(context, [input], {
    environmentId: environment.id,
    acceptedAt: 'now',
    // Anybody can enter an address: that does not change what is known about its owner.
    onConflict: 'skip',
    fail,
  });
  const result = requireResult(results[0]);
  const { contact, write } = result;
  const created = new Set(write.before === null ? [contact.id] : []);
  const history = await loadHistory(db, [contact], created);
  const hasOptedOut =
    history.current(contact.id, 'email', topic.topic)?.state === 'revoked' ||
    history.addressOptedOutUntil(contact, 'email', topic.topic) !== undefined;
  if (hasOptedOut) return false;
  await writeContacts(context, writes);
  const granted = await grantConsents(
    context,
    [
      {
        contact,
        channel: 'email',
        topic: topic.topic,
        state: 'granted',
        source: formSource(from),
        wording,
        ip: caller.request.ip,
        givenAt: clock.now(),
      },
    ],
    { created, renew: false },
  );
  const { changes, ...entry } = contactAuditEntry(write);
  audit({
    ...entry,
    operation: filedUnder,
    summary: `A visitor subscribed to ${topic.topic} with its form, which asks for no confirmation.`,
    changes: [...(write.before === null ? changes : []), ...changesIn(granted)],
    unchanged: `the person had already subscribed to ${topic.topic}.`,
  });
  return true;
}
