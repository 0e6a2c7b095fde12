import type { Change, Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { TextChoices } from '../ports.js';
import { changesIn, grantConsents } from '../consents/append.js';
import { revokeTopics } from '../consents/revoke-topics.js';
import { lockContacts } from '../contacts/find.js';
import { planUpserts, requireResult, writeContacts } from '../contacts/upsert.js';
import { activeSuppressions, addSuppression, contactIdOf, liftSuppression } from '../suppressions/store.js';
import type { ContactRow } from '../tables/contact.js';
import type { SuppressionRow } from '../tables/suppression.js';
import { topics } from '../tables/topic.js';
import { channelsOf } from '../topics/present.js';
import type { Session } from '#core/runtime/database/session.js';
import { samePhone } from '#core/kernel/schema/phone.js';
import { idBytes } from '#core/runtime/id.js';
import { consents } from '../tables/consent.js';

/** The `source` of consent records made by a text. */
const stopSource = 'STOP by text';
const startSource = 'START by text';

type ChoiceContext = Context<
  | 'audience.contact.created'
  | 'audience.contact.updated'
  | 'audience.consent.granted'
  | 'audience.consent.revoked'
  | 'audience.suppression.added'
  | 'audience.suppression.lifted',
  'contact_conflict'
>;

/** Provides the port `textChoices`. */
export function makeTextChoices(context: ChoiceContext): TextChoices {
  const actingIn = (environment: Environment): ChoiceContext => ({
    ...context,
    emit: (name, event) => context.emit(name, event, environment),
  });
  return {
    async stateOf(environmentId, number) {
      const active = await activeSuppressions(context, environmentId, 'sms', number);
      const contactId = await contactIdOf(context.db, { environmentId, channel: 'sms', address: number });
      return { stopped: active.some(({ reason }) => reason === 'stop'), contactId };
    },
    stop: (environment, number) => stop(actingIn(environment), environment, number),
    start: (environment, text) => start(actingIn(environment), environment, text),
  };
}

/** The contact with a number, locked; null if there is none. */
async function lockByNumber(
  { db }: Pick<Context, 'db'>,
  environmentId: string,
  number: string,
): Promise<ContactRow | null> {
  const found = await contactIdOf(db, { environmentId, channel: 'sms', address: number });
  if (found === null) return null;
  const [locked] = await lockContacts(db, [found]);
  // Its number may have changed while waiting for the lock: then the text belongs to nobody.
  return locked?.phone != null && samePhone(locked.phone, number) ? locked : null;
}

async function stop(context: ChoiceContext, environment: Environment, number: string): ReturnType<TextChoices['stop']> {
  const contact = await lockByNumber(context, environment.id, number);
  const suppression = { channel: 'sms', address: number, reason: 'stop', note: null } as const;
  const { row, added } = await addSuppression(context, environment.id, suppression);
  const changes = contact ? await revokeByStop(context, contact, added) : [];
  if (!added && changes.length === 0) return { stopped: false };
  auditChoice(context, { contact, suppression: row }, 'STOP: the number does not receive messages', [
    ...(added ? [{ field: 'unsubscribedAll.sms', from: false, to: true }] : []),
    ...changes,
  ]);
  return { stopped: added };
}

/**
 * Revokes what STOP ends. On the preferences page, the person may subscribe while the number is stopped, and another
 * STOP revokes that; nobody else can grant anything in the meantime.
 */
async function revokeByStop(context: ChoiceContext, contact: ContactRow, isFirst: boolean): Promise<Change[]> {
  const changes: Change[] = [];
  for (const topic of isFirst ? [null] : await grantedOnSms(context.db, contact.id)) {
    const revoked = await revokeTopics(context, contact, { channel: 'sms', topic, source: stopSource, ip: null });
    changes.push(...revoked.changes);
  }
  return changes;
}

async function start(
  context: ChoiceContext,
  environment: Environment,
  { number, wording, topic }: Parameters<TextChoices['start']>[1],
): ReturnType<TextChoices['start']> {
  const wanted = topic !== null && (await isGrantable(context, environment.id, topic)) ? topic : null;
  const contact =
    wanted === null
      ? await lockByNumber(context, environment.id, number)
      : await contactWith(context, environment.id, number);
  const active = await activeSuppressions(context, environment.id, 'sms', number);
  const stopped = active.find(({ reason }) => reason === 'stop');
  const lifted = stopped !== undefined && (await liftSuppression(context, stopped)) !== null;
  const unsubscribed = lifted ? [{ field: 'unsubscribedAll.sms', from: true, to: false }] : [];
  const answered = 'START: the number can receive messages';
  if (!contact) {
    if (lifted) auditChoice(context, { contact, suppression: stopped }, answered, unsubscribed);
    return { lifted, granted: [], contactId: null };
  }
  const taken = lifted ? await takenByStop(context.db, contact.id) : [];
  const keys = [...new Set([...taken, ...(wanted === null ? [] : [wanted])])].sort();
  // The person decides now, later than everything before, even if the clocks of two nodes disagree.
  const earlier = [await lastDecision(context.db, contact.id), stopped?.createdAt.getTime() ?? 0];
  const givenAt = new Date(Math.max(context.clock.now().getTime(), ...earlier.map((time) => time + 1)));
  const results = await grantConsents(
    context,
    keys.map((key) => ({
      contact,
      channel: 'sms',
      topic: key,
      state: 'granted' as const,
      source: startSource,
      wording,
      givenAt,
      byPerson: true,
    })),
    { renew: true },
  );
  const granted = results.flatMap(({ record, effective }) => (record && effective ? [record.topic] : []));
  const changes = [...unsubscribed, ...changesIn(results)];
  if (changes.length > 0) auditChoice(context, { contact, suppression: stopped }, answered, changes);
  return { lifted, granted, contactId: contact.id };
}

/**
 * The audit record of a keyword, filed like a person's other choices (preferences/result.ts). It does not contain a
 * number.
 */
function auditChoice(
  { audit }: Pick<ChoiceContext, 'audit'>,
  { contact, suppression }: { contact: ContactRow | null; suppression: Pick<SuppressionRow, 'id'> | undefined },
  answered: string,
  changes: readonly Change[],
): void {
  const subject = contact
    ? { type: 'contact', id: contact.id }
    : suppression && { type: 'suppression', id: suppression.id };
  audit({
    operation: 'audience.preferences.set',
    ...(subject ? { subject } : {}),
    ...(contact ? { personId: contact.id } : {}),
    summary: `The person replied ${answered}.`,
    changes,
  });
}

async function isGrantable({ db }: Pick<Context, 'db'>, environmentId: string, key: string): Promise<boolean> {
  const topic = await db.findOne(topics, { environmentId, topic: key });
  return topic !== null && topic.archivedAt === null && channelsOf(topic).includes('sms');
}

/** The contact with a number, locked; created if there is none. */
async function contactWith(context: ChoiceContext, environmentId: string, number: string): Promise<ContactRow> {
  const { results, writes } = await planUpserts(context, [{ phone: number }], {
    environmentId,
    acceptedAt: 'now',
    onConflict: 'skip',
    fail: context.fail,
  });
  const result = requireResult(results[0]);
  await writeContacts(context, writes);
  return result.contact;
}

/**
 * The topics on sms that a contact had granted when STOP revoked them, and that the person has not decided about since.
 * Topics that the person unsubscribed from before STOP, or on the preferences page after it, stay revoked.
 */
async function takenByStop(db: Session, contactId: string): Promise<string[]> {
  const rows = await db.rows<{ topic: Buffer }>(
    `SELECT k.topic FROM audience_consent k JOIN audience_consent_record r ON r.id = k.record_id
     WHERE k.contact_id = ? AND k.channel = 'sms' AND k.state = 'revoked' AND r.source = ?
       AND (SELECT b.state FROM audience_consent_record b
            WHERE b.contact_id = k.contact_id AND b.channel = k.channel AND b.topic = k.topic
              AND b.effective = 1 AND b.ordinal < r.ordinal ORDER BY b.ordinal DESC LIMIT 1) = 'granted'
       AND NOT EXISTS (SELECT 1 FROM audience_consent_record l
            WHERE l.contact_id = k.contact_id AND l.channel = k.channel AND l.topic = k.topic
              AND l.ordinal > r.ordinal AND l.state = 'revoked')`,
    [idBytes(contactId), stopSource],
  );
  return rows.map(({ topic }) => topic.toString());
}

/** When a contact last decided about a topic on sms, in milliseconds since 1970; 0 for never. */
async function lastDecision(db: Session, contactId: string): Promise<number> {
  const [row] = await db.rows<{ at: Date | null }>(
    "SELECT MAX(given_at) AS at FROM audience_consent_record WHERE contact_id = ? AND channel = 'sms'",
    [idBytes(contactId)],
  );
  return row?.at?.getTime() ?? 0;
}

/** The topics on sms that a contact has granted. */
const grantedOnSms = async (db: Session, contactId: string): Promise<string[]> =>
  (await db.find(consents, { contactId, channel: 'sms', state: 'granted' })).map(({ topic }) => topic);
