import { actorOf } from '#core/kernel/audit/activity.js';
import type { Caller } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';
import type { ConsentRecordRow, ConsentState } from '../tables/consent.js';
import type { Addressed, History, Standing } from './state.js';

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
  /** The person says so, now and here: no wish of theirs stands against it. */
  byPerson?: boolean;
  ip?: string | null | undefined;
}

/** The history, with what this call adds to it. */
export interface Ledger extends Pick<History, 'standing' | 'saidNoAt' | 'optedOutUntil'> {
  next(claim: ConsentClaim): number;
  stands(claim: ConsentClaim, standing: Standing): void;
}

export function openLedger(history: History): Ledger {
  const ordinals = new Map<string, number>();
  const standings = new Map<string, Standing>();
  const keyOf = (contactId: string, channel: string, topic: string): string => `${contactId} ${channel} ${topic}`;
  return {
    optedOutUntil: history.optedOutUntil,
    saidNoAt: history.saidNoAt,
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

/** What a claim leads to: the record that it leaves behind, if any, and where the contact stands then. The ledger knows it from here on. */
export function planned(
  ledger: Ledger,
  claim: ConsentClaim,
  { renew, now, caller }: { renew: boolean; now: Date; caller: Caller },
): { row: ConsentRecordRow | null; standing: Standing | undefined } {
  const { contact, channel, topic, state, source, wording, givenAt } = claim;
  const before = ledger.standing(contact.id, channel, topic);
  if (before?.state === state && !(state === 'granted' ? renew : isSaidAgain(ledger, claim, before)))
    return { row: null, standing: before };
  const effective = before?.state !== state && (state === 'revoked' || isNews(ledger, claim, before));
  if (!effective && state === 'granted' && !renew) return { row: null, standing: before };
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

/** A no that is said again later changes nothing, and yet counts: evidence of a yes in between does not outlive it. */
const isSaidAgain = (ledger: Ledger, { contact, channel, topic, givenAt }: ConsentClaim, before: Standing): boolean =>
  givenAt > (ledger.saidNoAt(contact.id, channel, topic) ?? before.since);

/** Is a grant later than everything in which the person had said no? */
function isNews(
  ledger: Ledger,
  { contact, channel, topic, givenAt, undated = false, byPerson = false }: ConsentClaim,
  before?: Standing,
): boolean {
  const until = byPerson ? undefined : ledger.optedOutUntil(contact, channel, topic);
  if (undated) return before === undefined && until === undefined;
  const saidNo = ledger.saidNoAt(contact.id, channel, topic);
  return [before?.since, saidNo, until].every((moment) => moment === undefined || givenAt > moment);
}
