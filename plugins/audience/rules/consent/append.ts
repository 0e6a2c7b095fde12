import type { Caller } from '#core/kernel/caller/caller.js';
import { actorOf } from '#core/kernel/audit/activity.js';
import type { News } from '#core/kernel/events/declare.js';
import { insertInto, joined } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Channel } from '../../ports.js';
import type { ConsentRecordRow, ConsentState } from '../../tables/consent.js';
import type { Scene } from '../scene.js';
import { presentConsent, type ConsentValue } from './present.js';
import { historyOf, type Addressed, type History, type Standing } from './standing.js';

/** Something that is to be said about a contact's consent. */
export interface ConsentClaim {
  contact: Addressed;
  channel: Channel;
  topic: string;
  state: ConsentState;
  source: string;
  wording?: string | null | undefined;
  /** Never after the present. */
  givenAt: Date;
  /** Nobody says when it was given: it counts for whoever never said no, and changes no refusal, however old. */
  undated?: boolean;
  ip?: string | null | undefined;
}

/** What became of a claim. */
export interface Appended {
  /** The record; null where the contact stands there already and nothing was appended. */
  record: ConsentValue | null;
  /** It changed where the contact stands. */
  effective: boolean;
  /** Where the contact stands after it. */
  standing: Standing | undefined;
}

export interface AppendOptions {
  /** Contacts that this transaction has made. */
  fresh?: ReadonlySet<string>;
  /** Append also a grant of what is granted: new evidence for the same state. Else such a claim leaves nothing behind. */
  renew: boolean;
}

/**
 * Appends consent records: the one way in which consent changes. The caller holds the contacts' rows, so that the changes of one contact
 * go one by one and the state kept beside the records is always where they lead. Each change of state is one record and one event.
 *
 * A grant that is not later than a standing revocation, or than the person's own suppression, is recorded and changes nothing
 * (catalog, audience.consent.grant). A revocation of what is revoked is not repeated.
 * @param claims all of one environment
 */
async function appendConsents(
  scene: Scene,
  claims: readonly ConsentClaim[],
  { fresh = new Set(), renew }: AppendOptions,
): Promise<Appended[]> {
  if (claims.length === 0) return [];
  // Not by their ids: a batch may hold claims of one contact from before and after its address changed.
  const contacts = [...new Set(claims.map(({ contact }) => contact))];
  const ledger = openLedger(await historyOf(scene.db, contacts, fresh));
  const now = scene.clock.now();
  const planned = claims.map((claim) => ({ claim, ...plan(ledger, claim, renew, now, scene.caller) }));
  await insertRecords(
    scene,
    planned.flatMap(({ claim, row }) => (row ? [{ claim, row }] : [])),
  );
  return planned.map(({ claim, row, standing }) => ({
    record: row && presentConsent(row, claim.ip ?? null),
    effective: row?.effective === true,
    standing,
  }));
}

/** Appends grants, with an event for each that subscribes somebody; see `appendConsents`. */
export async function grantConsents(
  scene: Scene<'audience.consent.granted'>,
  claims: readonly (ConsentClaim & { state: 'granted' })[],
  options: AppendOptions,
): Promise<Appended[]> {
  const appended = await appendConsents(scene, claims, options);
  for (const { record, effective } of appended)
    if (record && effective) scene.emit('audience.consent.granted', newsOf(record));
  return appended;
}

/** Appends revocations, with an event for each that unsubscribes somebody; see `appendConsents`. */
export async function denyConsents(
  scene: Scene<'audience.consent.revoked'>,
  claims: readonly (ConsentClaim & { state: 'revoked' })[],
): Promise<Appended[]> {
  const appended = await appendConsents(scene, claims, { renew: false });
  for (const { record, effective } of appended)
    if (record && effective) scene.emit('audience.consent.revoked', newsOf(record));
  return appended;
}

const newsOf = (consent: ConsentValue): News<{ consent: ConsentValue }> => ({
  subjectId: consent.contactId,
  personId: consent.contactId,
  data: { consent },
});

/** The history, with what this call adds to it. */
interface Ledger extends Pick<History, 'standing' | 'optedOutUntil'> {
  next(claim: ConsentClaim): number;
  stands(claim: ConsentClaim, standing: Standing): void;
}

function openLedger(history: History): Ledger {
  const ordinals = new Map<string, number>();
  const standings = new Map<string, Standing>();
  const keyOf = (contactId: string, channel: string, topic: string): string => `${contactId} ${channel} ${topic}`;
  return {
    optedOutUntil: history.optedOutUntil,
    standing: (...place) => standings.get(keyOf(...place)) ?? history.standing(...place),
    stands: ({ contact, channel, topic }, standing) => void standings.set(keyOf(contact.id, channel, topic), standing),
    next({ contact, channel, topic }) {
      const key = keyOf(contact.id, channel, topic);
      const ordinal = (ordinals.get(key) ?? history.ordinal(contact.id, channel, topic)) + 1;
      ordinals.set(key, ordinal);
      return ordinal;
    },
  };
}

function plan(
  ledger: Ledger,
  claim: ConsentClaim,
  renew: boolean,
  now: Date,
  caller: Caller,
): { row: ConsentRecordRow | null; standing: Standing | undefined } {
  const { contact, channel, topic, state, source, wording, givenAt } = claim;
  const before = ledger.standing(contact.id, channel, topic);
  if (before?.state === state && (state === 'revoked' || !renew)) return { row: null, standing: before };
  const effective = before?.state !== state && (state === 'revoked' || isNews(ledger, claim, before));
  const actor = actorOf(caller);
  const row: ConsentRecordRow = {
    id: newId(),
    environmentId: contact.environmentId,
    contactId: contact.id,
    channel,
    topic,
    ordinal: ledger.next(claim),
    state,
    effective,
    source,
    wording: wording ?? null,
    givenAt,
    recordedAt: now,
    actorKind: actor.kind,
    actorId: actor.id,
    actorLabel: actor.label,
  };
  if (!effective) return { row, standing: before };
  const standing = { state, since: givenAt, recordId: row.id };
  ledger.stands(claim, standing);
  return { row, standing };
}

/** Is a grant later than everything in which the person had said no? */
function isNews(
  ledger: Ledger,
  { contact, channel, topic, givenAt, undated = false }: ConsentClaim,
  before?: Standing,
): boolean {
  const until = ledger.optedOutUntil(contact, channel, topic);
  if (undated) return before === undefined && until === undefined;
  return (before === undefined || givenAt > before.since) && (until === undefined || givenAt > until);
}

async function insertRecords(
  { db }: Scene,
  appended: readonly { claim: ConsentClaim; row: ConsentRecordRow }[],
): Promise<void> {
  if (appended.length === 0) return;
  const origins = appended.flatMap(({ claim: { ip }, row }) =>
    ip == null ? [] : [{ record_id: idBytes(row.id), contact_id: idBytes(row.contactId), ip }],
  );
  // One row per place: of several claims about it the last effective one is where it stands.
  const last = new Map(
    appended
      .filter(({ row }) => row.effective)
      .map(({ row }) => [`${row.contactId} ${row.channel} ${row.topic}`, stateColumns(row)]),
  );
  const states = insertInto('audience_consent', [...last.values()]);
  const { sql, parameters } = joined([
    insertInto(
      'audience_consent_record',
      appended.map(({ row }) => recordColumns(row)),
    ),
    ...(origins.length > 0 ? [insertInto('audience_consent_origin', origins)] : []),
    ...(last.size > 0
      ? [
          {
            sql: `${states.sql} ON DUPLICATE KEY UPDATE state = VALUES(state), since = VALUES(since), record_id = VALUES(record_id)`,
            parameters: states.parameters,
          },
        ]
      : []),
  ]);
  await db.run(sql, parameters);
}

const recordColumns = (row: ConsentRecordRow) => ({
  id: idBytes(row.id),
  environment_id: idBytes(row.environmentId),
  contact_id: idBytes(row.contactId),
  channel: Buffer.from(row.channel),
  topic: Buffer.from(row.topic),
  ordinal: row.ordinal,
  state: Buffer.from(row.state),
  effective: row.effective ? 1 : 0,
  source: row.source,
  wording: row.wording,
  given_at: row.givenAt,
  recorded_at: row.recordedAt,
  actor_kind: Buffer.from(row.actorKind),
  actor_id: Buffer.from(row.actorId),
  actor_label: row.actorLabel,
});

const stateColumns = (row: ConsentRecordRow) => ({
  contact_id: idBytes(row.contactId),
  channel: Buffer.from(row.channel),
  topic: Buffer.from(row.topic),
  environment_id: idBytes(row.environmentId),
  state: Buffer.from(row.state),
  since: row.givenAt,
  record_id: idBytes(row.id),
});
