import type { Change, Context } from '#core/kernel/context.js';
import type { NewEvent } from '#core/kernel/event.js';
import { loadHistory, type CurrentConsent } from './history.js';
import { createLedger, planRecord, type ConsentClaim } from './plan.js';
import { presentConsent, type ConsentValue } from './present.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { consentOrigins, consentRecords, consents, type ConsentRecordRow, type ConsentRow } from '../tables/consent.js';

/** The result of one claim. */
interface AppendResult {
  /** The appended record; null if the claim changes nothing and was not recorded. */
  record: ConsentValue | null;
  /** Whether the record changed the consent state. */
  effective: boolean;
  /** The change of state, for the audit record; null if the state stays the same. */
  change: Change | null;
  /** The consent state after the claim; undefined if nothing was ever recorded. */
  current: CurrentConsent | undefined;
}

interface AppendOptions {
  /** Ids of contacts created in this transaction. */
  created?: ReadonlySet<string>;
  /**
   * Whether to record grants that change nothing: new evidence of a current grant, or evidence older than a revocation.
   * It is off for upserts, so that a nightly upsert of every contact does not append a record for every contact.
   */
  renew: boolean;
}

/**
 * Appends consent records. All changes of consent go through here. The caller has locked the contacts, so that changes
 * to one contact run sequentially and the stored state always matches the records. Each change of state is one record
 * and one event.
 *
 * A grant changes nothing if it is not later than the current revocation, or while a suppression that the person
 * requested is active: only the person can undo that. A repeated revocation is recorded only when it is later than the
 * last one.
 * @param claims of contacts of one environment
 */
async function appendConsents(
  { db, clock, caller }: Context,
  claims: readonly ConsentClaim[],
  { created = new Set(), renew }: AppendOptions,
): Promise<AppendResult[]> {
  if (claims.length === 0) return [];
  // By object, not by id: a batch may contain claims of one contact from before and after its address changed.
  const contacts = [...new Set(claims.map(({ contact }) => contact))];
  const ledger = createLedger(await loadHistory(db, contacts, created));
  const now = clock.now();
  const planned = claims.map((claim) => ({ claim, ...planRecord(ledger, claim, { renew, now, caller }) }));
  await db.defer(recordStatements(planned.flatMap(({ claim, row }) => (row ? [{ claim, row }] : []))));
  return planned.map(({ claim, row, before, current }) => ({
    record: row && presentConsent(row, claim.ip ?? null),
    effective: row?.effective === true,
    change: stateChange(claim, before, current),
    current,
  }));
}

/**
 * Appends grants and revocations in their order and emits an event for each that changes the state; see
 * `appendConsents`.
 */
export async function recordConsents(
  context: Context<'audience.consent.granted' | 'audience.consent.revoked'>,
  claims: readonly ConsentClaim[],
  options: AppendOptions,
): Promise<AppendResult[]> {
  const results = await appendConsents(context, claims, options);
  for (const { record, effective } of results)
    if (record && effective) context.emit(`audience.consent.${record.state}`, consentEvent(record));
  return results;
}

/** Appends grants and emits an event for each that changes the state; see `appendConsents`. */
export async function grantConsents(
  context: Context<'audience.consent.granted'>,
  claims: readonly (ConsentClaim & { state: 'granted' })[],
  options: AppendOptions,
): Promise<AppendResult[]> {
  const results = await appendConsents(context, claims, options);
  for (const { record, effective } of results)
    if (record && effective) context.emit('audience.consent.granted', consentEvent(record));
  return results;
}

/** Appends revocations and emits an event for each that changes the state; see `appendConsents`. */
export async function revokeConsents(
  context: Context<'audience.consent.revoked'>,
  claims: readonly (ConsentClaim & { state: 'revoked' })[],
): Promise<AppendResult[]> {
  const results = await appendConsents(context, claims, { renew: false });
  for (const { record, effective } of results)
    if (record && effective) context.emit('audience.consent.revoked', consentEvent(record));
  return results;
}

const stateChange = (
  { channel, topic }: ConsentClaim,
  before: CurrentConsent | undefined,
  current: CurrentConsent | undefined,
): Change | null =>
  before?.state === current?.state
    ? null
    : { field: `consent.${channel}.${topic}`, from: before?.state ?? null, to: current?.state ?? null };

/** The changes of state that a list of claims makes. */
export const changesIn = (results: readonly AppendResult[]): Change[] => results.flatMap(({ change }) => change ?? []);

const consentEvent = (consent: ConsentValue): NewEvent<{ consent: ConsentValue }> => ({
  subjectId: consent.contactId,
  personId: consent.contactId,
  data: { consent },
});

/** Statements that insert records with their origins and update the consent states; an empty text for no records. */
function recordStatements(appended: readonly { claim: ConsentClaim; row: ConsentRecordRow }[]): Statement {
  const origins = appended.flatMap(({ claim: { ip }, row }) =>
    ip == null ? [] : [{ recordId: row.id, contactId: row.contactId, ip }],
  );
  // One row per contact, channel and topic: the last effective record decides.
  const states = new Map<string, ConsentRow>();
  for (const { row } of appended) {
    const { id: recordId, contactId, channel, topic, environmentId, state, givenAt: since } = row;
    if (!row.effective) continue;
    states.set(`${contactId} ${channel} ${topic}`, {
      contactId,
      channel,
      topic,
      environmentId,
      state,
      since,
      recordId,
    });
  }
  return joined([
    ...(appended.length > 0 ? [consentRecords.insertRows(appended.map(({ row }) => row))] : []),
    ...(origins.length > 0 ? [consentOrigins.insertRows(origins)] : []),
    ...(states.size > 0 ? [consents.upsertRows([...states.values()], ['state', 'since', 'recordId'])] : []),
  ]);
}
