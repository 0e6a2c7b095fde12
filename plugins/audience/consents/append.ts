import type { NewEvent } from '#core/kernel/events/declare.js';
import type { Context } from '#core/kernel/context.js';
import { openLedger, planned, type ConsentClaim } from './plan.js';
import { presentConsent, type ConsentValue } from './present.js';
import { recordStatements } from './records.js';
import { historyOf, type Standing } from './state.js';

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
  /**
   * Append also a grant that changes nothing: new evidence of what is granted, or evidence older than a no. Else it leaves nothing behind,
   * so that a nightly upsert of everybody is not a record of everybody.
   */
  renew: boolean;
}

/**
 * Appends consent records: the one way in which consent changes. The caller holds the contacts' rows, so that the changes of one contact
 * go one by one and the state kept beside the records is always where they lead. Each change of state is one record and one event.
 *
 * A grant that is not later than a standing revocation changes nothing (catalog, audience.consent.grant), nor does any while a suppression
 * stands that the person asked for: only they can undo it. A revocation of what is revoked is not repeated.
 * @param claims all of one environment
 */
async function appendConsents(
  scene: Context,
  claims: readonly ConsentClaim[],
  { fresh = new Set(), renew }: AppendOptions,
): Promise<Appended[]> {
  if (claims.length === 0) return [];
  // Not by their ids: a batch may hold claims of one contact from before and after its address changed.
  const contacts = [...new Set(claims.map(({ contact }) => contact))];
  const ledger = openLedger(await historyOf(scene.db, contacts, fresh));
  const now = scene.clock.now();
  const plans = claims.map((claim) => ({ claim, ...planned(ledger, claim, { renew, now, caller: scene.caller }) }));
  const { sql, parameters } = recordStatements(plans.flatMap(({ claim, row }) => (row ? [{ claim, row }] : [])));
  if (sql !== '') await scene.db.defer(sql, parameters);
  return plans.map(({ claim, row, standing }) => ({
    record: row && presentConsent(row, claim.ip ?? null),
    effective: row?.effective === true,
    standing,
  }));
}

/** Appends grants, with an event for each that subscribes somebody; see `appendConsents`. */
export async function grantConsents(
  scene: Context<'audience.consent.granted'>,
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
  scene: Context<'audience.consent.revoked'>,
  claims: readonly (ConsentClaim & { state: 'revoked' })[],
): Promise<Appended[]> {
  const appended = await appendConsents(scene, claims, { renew: false });
  for (const { record, effective } of appended)
    if (record && effective) scene.emit('audience.consent.revoked', newsOf(record));
  return appended;
}

const newsOf = (consent: ConsentValue): NewEvent<{ consent: ConsentValue }> => ({
  subjectId: consent.contactId,
  personId: consent.contactId,
  data: { consent },
});
