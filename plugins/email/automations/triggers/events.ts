import type { FullContext } from '#core/kernel/context.js';
import type { ConsumedEvent, EventConsumer } from '#core/kernel/events/consumer.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { isRecord } from '#core/runtime/json.js';
import { contacts } from '#plugins/audience/ports.js';
import { userAddresses } from '#plugins/auth/ports.js';
import type { AutomationRow } from '../../tables/automation.js';
import { activeAutomations } from './active.js';
import { enrol, type Candidate } from './enrol.js';
import { evaluate } from '../conditions/evaluate.js';
import { readForConditions, scopeOf } from '../conditions/filter.js';
import { filterOf } from '../store.js';

/** An event that triggers at least one automation, with its data. */
interface Triggering {
  readonly event: ConsumedEvent;
  readonly data: Readonly<Record<string, unknown>>;
  readonly json: string;
  /** Null if the event is not about a contact. */
  readonly contactId: string | null;
}

/**
 * Consumes svc's own events and enrols the contact that each is about: the contact itself, the contact of a message, or
 * the contact that has a user's verified address.
 *
 * The actions of an automation can trigger automations. To prevent loops, one call enrols a contact in an automation
 * only once: events of runs refer to the audit record of the call that led to them. If there is no such record, events
 * about messages of automations enrol nobody.
 */
export const eventTrigger: EventConsumer = {
  name: 'email.automation-trigger',
  sends: true,
  async environments(db, environmentIds) {
    const rows = await db.rows<{ environment_id: Buffer }>(
      `SELECT DISTINCT environment_id FROM email_automation WHERE environment_id IN (?) AND status = 'active'
       AND (trigger_event LIKE 'audience.%' OR trigger_event LIKE 'auth.%' OR trigger_event LIKE 'email.%' OR trigger_event LIKE 'sms.%')`,
      [environmentIds.map(idBytes)],
    );
    return new Set(rows.map((row) => idText(row.environment_id)));
  },
  async handle(events, context) {
    const types = [...new Set(events.map(({ type }) => type))];
    const environmentIds = [...new Set(events.map(({ environmentId }) => environmentId))];
    const active = await activeAutomations(context.db, environmentIds, types);
    for (const environmentId of environmentIds) {
      const own = active.filter((automation) => automation.environmentId === environmentId);
      const about = events.filter(
        (event) => event.environmentId === environmentId && own.some(({ triggerEvent }) => triggerEvent === event.type),
      );
      if (about.length > 0) await enrolAll(context, environmentId, own, about);
    }
  },
};

async function enrolAll(
  context: FullContext,
  environmentId: string,
  active: readonly AutomationRow[],
  events: readonly ConsumedEvent[],
): Promise<void> {
  const triggering = (await withContacts(context, environmentId, events)).filter(({ contactId }) => contactId !== null);
  const filters = active.flatMap((automation) => filterOf(automation) ?? []);
  const ids = triggering.flatMap(({ contactId }) => contactId ?? []);
  const known = await readForConditions(context, environmentId, filters, ids);
  const candidates = triggering.flatMap(({ event, data, json, contactId }) => {
    if (contactId === null || isLoop(event, data)) return [];
    const personId = event.personId === contactId ? null : event.personId;
    return active.flatMap((automation): Candidate[] => {
      const filter = filterOf(automation);
      const isMeant = automation.triggerEvent === event.type;
      if (!isMeant || (filter !== null && !evaluate(filter, scopeOf(known, contactId, data)))) return [];
      return [{ automation, contactId, personId, context: json, activityId: event.activityId }];
    });
  });
  await enrol(context, await withoutRepeats(context.db, candidates));
}

/** Reads the data and the contacts of many events together. */
async function withContacts(
  { db, use }: FullContext,
  environmentId: string,
  events: readonly ConsumedEvent[],
): Promise<Triggering[]> {
  const rows = await db.rows<{ id: Buffer; data: string }>('SELECT id, data FROM svc_event WHERE id IN (?)', [
    events.map(({ id }) => idBytes(id)),
  ]);
  const data = new Map(rows.map((row) => [idText(row.id), row.data]));
  const read = events.map((event) => {
    const json = data.get(event.id) ?? '{}';
    return { event, json, data: jsonRecord(json) };
  });
  const port = use(contacts);
  const [people, verified] = await Promise.all([
    port.facts(environmentId, [...new Set(events.flatMap(({ personId }) => personId ?? []))]),
    use(userAddresses).verifiedEmails(environmentId, [...new Set(events.flatMap((event) => userOf(event) ?? []))]),
  ]);
  const addressed = read.map((each) => ({ each, addresses: addressesOf(each, verified) }));
  const contactIds = await port.idsByEmail(environmentId, [
    ...new Set(addressed.flatMap(({ addresses }) => addresses)),
  ]);
  return addressed.map(({ each, addresses }) => {
    const { personId } = each.event;
    const isContact = personId !== null && people.has(personId);
    const byAddress = addresses.flatMap((address) => contactIds.get(address) ?? [])[0];
    return { ...each, contactId: isContact ? personId : (byAddress ?? null) };
  });
}

/** The user that an event of auth is about; null for other events. */
const userOf = ({ type, personId }: ConsumedEvent): string | null => (type.startsWith('auth.') ? personId : null);

/**
 * The verified addresses of the user that an event of auth is about: first the one that the event names, then the
 * user's other addresses.
 */
function addressesOf(
  { event, data }: Pick<Triggering, 'event' | 'data'>,
  verified: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const userId = userOf(event);
  if (userId === null) return [];
  const user = data['user'];
  const own = isRecord(user) && user['emailVerified'] === true ? user['email'] : undefined;
  return [...(typeof own === 'string' ? [own] : []), ...(verified.get(userId) ?? [])];
}

/** Whether an event that no call led to is about an action of an automation. */
function isLoop({ activityId, subject }: ConsumedEvent, data: Readonly<Record<string, unknown>>): boolean {
  const { message } = data;
  return (
    activityId === null &&
    (subject.type === 'run' || (isRecord(message) && typeof message['automationId'] === 'string'))
  );
}

/** Leaves out contacts that the same call has already enrolled in the same automation. */
async function withoutRepeats(db: Session, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const keyOf = (automationId: string, contactId: string, activityId: string): string =>
    `${automationId} ${contactId} ${activityId}`;
  const pairs = candidates.flatMap(({ automation, contactId, activityId }) =>
    activityId === null || !automation.reenter ? [] : [[idBytes(contactId), idBytes(automation.id)]],
  );
  const rows =
    pairs.length === 0
      ? []
      : await db.rows<{ automation_id: Buffer; contact_id: Buffer; activity_id: Buffer | null }>(
          `SELECT DISTINCT automation_id, contact_id, activity_id FROM email_automation_run FORCE INDEX (contact)
           WHERE (contact_id, automation_id) IN (?) AND activity_id IN (?)`,
          [pairs, [...new Set(candidates.flatMap(({ activityId }) => activityId ?? []))].map(idBytes)],
        );
  const seen = new Set(
    rows.flatMap((row) =>
      row.activity_id ? [keyOf(idText(row.automation_id), idText(row.contact_id), idText(row.activity_id))] : [],
    ),
  );
  return candidates.filter(({ automation, contactId, activityId }) => {
    if (activityId === null) return true;
    const key = keyOf(automation.id, contactId, activityId);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
