import { actorOf } from '#core/kernel/audit/activity.js';
import type { Caller } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';
import { pastDate } from '#core/kernel/schema/past-date.js';
import type { ConsentRecordRow, ConsentState } from '../tables/consent.js';
import type { ConsentHistory, ContactAddresses, CurrentConsent } from './history.js';

/** A claim about a contact's consent, which may become a record. */
export interface ConsentClaim {
  contact: ContactAddresses;
  channel: Channel;
  topic: string;
  state: ConsentState;
  source: string;
  wording?: string | null | undefined;
  /** Never in the future. */
  givenAt: Date;
  /** The caller did not say when it was given: the grant counts only for people who have never opted out. */
  undated?: boolean;
  /** Made by the person in this call: opt-outs of the address do not block it. */
  byPerson?: boolean;
  /** An opt-out of an earlier contact at the address: revokes only a consent that was not given after it. */
  ofFormerContact?: boolean;
  ip?: string | null | undefined;
}

/** A grant as it appears in a request. */
interface GrantInput {
  topic: string;
  channel: Channel;
  source: string;
  wording?: string | undefined;
  givenAt?: string | undefined;
  ip?: string | undefined;
}

/**
 * Converts a grant of a request to a claim.
 * @param field the name of its `givenAt` field in the request
 * @throws invalid_input for a `givenAt` in the future
 */
export const toClaim = (
  contact: ContactAddresses,
  grant: GrantInput,
  field: string,
  now: Date,
): ConsentClaim & { state: 'granted' } => ({
  contact,
  topic: grant.topic,
  channel: grant.channel,
  state: 'granted',
  source: grant.source,
  wording: grant.wording,
  ip: grant.ip,
  givenAt: pastDate(grant.givenAt, field, now),
  undated: grant.givenAt === undefined,
});

/** The history, including the records that this call adds. */
export interface Ledger extends Pick<ConsentHistory, 'current' | 'lastOptOut' | 'addressOptedOutUntil'> {
  nextOrdinal(claim: ConsentClaim): number;
  setCurrent(claim: ConsentClaim, current: CurrentConsent): void;
}

export function createLedger(history: ConsentHistory): Ledger {
  const ordinals = new Map<string, number>();
  const changed = new Map<string, CurrentConsent>();
  const keyOf = (contactId: string, channel: string, topic: string): string => `${contactId} ${channel} ${topic}`;
  return {
    addressOptedOutUntil: history.addressOptedOutUntil,
    lastOptOut: history.lastOptOut,
    current: (...which) => changed.get(keyOf(...which)) ?? history.current(...which),
    setCurrent: ({ contact, channel, topic }, current) => void changed.set(keyOf(contact.id, channel, topic), current),
    nextOrdinal({ contact, channel, topic }) {
      const key = keyOf(contact.id, channel, topic);
      const ordinal = (ordinals.get(key) ?? history.recordCount(contact.id, channel, topic)) + 1;
      ordinals.set(key, ordinal);
      return ordinal;
    },
  };
}

/** Decides the result of a claim: its record, if any, and the consent state after it. Updates the ledger. */
export function planRecord(
  ledger: Ledger,
  claim: ConsentClaim,
  { renew, now, caller }: { renew: boolean; now: Date; caller: Caller },
): { row: ConsentRecordRow | null; before: CurrentConsent | undefined; current: CurrentConsent | undefined } {
  const { contact, channel, topic, state, source, wording, givenAt, ofFormerContact = false } = claim;
  const before = ledger.current(contact.id, channel, topic);
  if (ofFormerContact && !(before?.state === 'granted' && before.since <= givenAt))
    return { row: null, before, current: before };
  const isRepeat = before?.state === state;
  if (isRepeat && !(state === 'granted' ? renew : isLaterOptOut(ledger, claim, before)))
    return { row: null, before, current: before };
  const effective = !isRepeat && (state === 'revoked' || outweighsOptOuts(ledger, claim, before));
  if (!effective && state === 'granted' && !renew) return { row: null, before, current: before };
  const actor = actorOf(caller);
  const row: ConsentRecordRow = {
    id: newId(),
    environmentId: contact.environmentId,
    contactId: contact.id,
    channel,
    topic,
    ordinal: ledger.nextOrdinal(claim),
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
  if (!effective) return { row, before, current: before };
  const current = { state, since: givenAt, recordId: row.id };
  ledger.setCurrent(claim, current);
  return { row, before, current };
}

/** A later opt-out does not change the state, but it is recorded: a grant dated between the two must not count. */
const isLaterOptOut = (
  ledger: Ledger,
  { contact, channel, topic, givenAt }: ConsentClaim,
  current: CurrentConsent,
): boolean => givenAt > (ledger.lastOptOut(contact.id, channel, topic) ?? current.since);

/** Whether a grant is later than every opt-out of the person. */
function outweighsOptOuts(
  ledger: Ledger,
  { contact, channel, topic, givenAt, undated = false, byPerson = false }: ConsentClaim,
  current: CurrentConsent | undefined,
): boolean {
  const optedOutUntil = byPerson ? undefined : ledger.addressOptedOutUntil(contact, channel, topic);
  if (undated) return current === undefined && optedOutUntil === undefined;
  const lastOptOut = ledger.lastOptOut(contact.id, channel, topic);
  return [current?.since, lastOptOut, optedOutUntil].every((optOut) => optOut === undefined || givenAt > optOut);
}
