import type { BroadcastStatus } from '../broadcast-tables.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idList } from '#core/runtime/database/literal.js';
import { idText } from '#core/runtime/id.js';
import { validClaims, type Claim } from '#core/runtime/work/queue.js';
import type { DeliveryDriver, LoadedMessage, RecipientEligibility } from '../driver.js';
import type { Closure } from '../due.js';
import { groupBy } from '../group-by.js';
import type { MessageFields, RecipientRow } from '../tables.js';

/** A message that this process has claimed. */
export interface Candidate<M> extends LoadedMessage<M> {
  readonly claim: Claim;
}

/** The result of the check right before sending. */
export type Checked =
  /** The lease is lost: another worker has the message, or it was cancelled or erased. */
  | { readonly kind: 'lost' }
  /** `eligibility` is that of the recipients who are still queued, in order. */
  | {
      readonly kind: 'current';
      readonly environment: Environment;
      /** The last closure of the account that has ended. */
      readonly closure: Closure | undefined;
      /**
       * The status of the message's broadcast: `held` also if a closure of the account will hold it. Null without one.
       */
      readonly broadcast: BroadcastStatus | null;
      readonly eligibility: readonly RecipientEligibility[];
    };

/** The recipients that are still to be reached. */
export const waiting = (recipients: readonly RecipientRow[]): RecipientRow[] =>
  recipients.filter(({ status }) => status === 'queued');

/**
 * Reads, for many messages together and without a transaction, the facts that may have changed since they were
 * accepted: whether this process still has them, whether the account is open, and who may get them. Called right before
 * they leave, so that an opt-out that has committed by then is respected.
 * @returns one result per message, in their order
 */
export async function recheckMessages<M extends MessageFields, C>(
  { read }: Pick<WorkerServices, 'read'>,
  driver: DeliveryDriver<M, C>,
  candidates: readonly Candidate<M>[],
): Promise<Checked[]> {
  return read(`Delivery of ${driver.name}`, async (context) => {
    const states = await leasedStates(context.db, driver, candidates);
    const leased = candidates.filter(({ claim }) => states.has(claim));
    const eligibility = await eligibilityOf(context, driver, leased, states);
    return candidates.map(({ claim, message }): Checked => {
      const state = states.get(claim);
      return state ? { kind: 'current', ...state, eligibility: eligibility.get(message.id) ?? [] } : { kind: 'lost' };
    });
  });
}

/** Reads or renders the contents of many messages. @returns one for each, in order; undefined if it is gone */
export async function contentsOf<M extends MessageFields, C>(
  driver: Pick<DeliveryDriver<M, C>, 'loadContents'>,
  candidates: readonly Candidate<M>[],
): Promise<(C | undefined)[]> {
  const contents = await driver.loadContents(candidates.map(({ message }) => message));
  return candidates.map(({ message: { id, contentId } }) =>
    contentId === null ? undefined : (contents.get(id) ?? contents.get(contentId)),
  );
}

interface State {
  environment: Environment;
  closure: Closure | undefined;
  broadcast: BroadcastStatus | null;
}

/** The environment of a message, with its last closure. */
export interface ClosureColumns extends EnvironmentColumns {
  last_closed_at: Date | null;
  reopened_at: Date | null;
}

interface BroadcastColumns {
  id: Buffer;
  broadcast_status: BroadcastStatus;
  released_at: Date | null;
}

/**
 * The environments and broadcasts of the messages, by the claims whose leases still hold. Each environment and
 * broadcast is read once for all of its messages.
 */
async function leasedStates<M extends MessageFields, C>(
  db: ReadSession,
  { queue, tables }: DeliveryDriver<M, C>,
  candidates: readonly Candidate<M>[],
): Promise<Map<Claim, State>> {
  const claims = candidates.map(({ claim }) => claim);
  const environmentIds = new Set(candidates.map(({ message }) => message.environmentId));
  const broadcastIds = new Set(candidates.flatMap(({ message }) => message.broadcastId ?? []));
  const [leases, environmentRows, broadcastRows] = await Promise.all([
    db.rows<{ id: Buffer; lease_token: Buffer | null }>(`SELECT id, lease_token FROM ${queue.table} WHERE id IN (?)`, [
      idList(claims.map(({ id }) => id)),
    ]),
    db.rows<ClosureColumns>(
      `SELECT ${environmentColumns}, e.last_closed_at, e.reopened_at FROM svc_environment e WHERE e.id IN (?)`,
      [idList([...environmentIds])],
    ),
    tables.broadcasts && broadcastIds.size > 0
      ? db.rows<BroadcastColumns>(
          `SELECT id, CONVERT(status USING utf8mb4) AS broadcast_status, released_at
           FROM ${tables.broadcasts.broadcasts.tableName} WHERE id IN (?)`,
          [idList([...broadcastIds])],
        )
      : [],
  ]);
  const environments = new Map(environmentRows.map((row) => [idText(row.environment_id), stateOf(row)]));
  const broadcasts = new Map(broadcastRows.map((row) => [idText(row.id), row]));
  const valid = validClaims(claims, leases);
  const states = new Map<Claim, State>();
  for (const { claim, message } of candidates) {
    const state = environments.get(message.environmentId);
    if (!state || !valid.has(claim)) continue;
    const broadcast = message.broadcastId === null ? undefined : broadcasts.get(message.broadcastId);
    states.set(claim, { ...state.current, broadcast: broadcast ? statusOf(broadcast, state.lastClosedAt) : null });
  }
  return states;
}

const stateOf = (row: ClosureColumns): { current: Omit<State, 'broadcast'>; lastClosedAt: Date | null } => {
  const { last_closed_at: from, reopened_at: to } = row;
  return {
    current: { environment: environmentFrom(row), closure: from && to ? { from, to } : undefined },
    lastClosedAt: from,
  };
};

/** Whether a closure after the broadcast was released holds it, although its row may state that only later. */
export const heldSince = (released: Date | null, closed: Date | null): boolean =>
  released !== null && closed !== null && closed > released;

const statusOf = (
  { broadcast_status: status, released_at: released }: BroadcastColumns,
  closed: Date | null,
): BroadcastStatus => (status === 'sending' && heldSince(released, closed) ? 'held' : status);

/**
 * A message of a broadcast or automation is rendered for a contact. If the contact has another address by now, nobody
 * may get it at the old one: a contact who has taken that address over would see the other's name and properties.
 */
function forItsContact(channel: string, message: MessageFields, found: RecipientEligibility): RecipientEligibility {
  const { contactId, broadcastId, automationId, topic } = message;
  const isPersonal = contactId !== null && (broadcastId !== null || automationId !== null);
  if (!isPersonal || found.contactId === contactId || !['no_consent', null].includes(found.blockReason)) return found;
  const blockedBy = { rule: 'address_changed', channel, topic, recordId: null, since: null, source: null } as const;
  return { ...found, blockReason: 'no_consent', blockedBy };
}

/** Checks eligibility once for all messages of one environment and purpose. */
async function eligibilityOf<M extends MessageFields, C>(
  context: ReadContext,
  { name, checkEligibility, isAnswer = () => false }: DeliveryDriver<M, C>,
  candidates: readonly Candidate<M>[],
  states: ReadonlyMap<Claim, State>,
): Promise<Map<string, readonly RecipientEligibility[]>> {
  const found = new Map<string, readonly RecipientEligibility[]>();
  const groups = groupBy(candidates, ({ message }) =>
    [message.environmentId, message.isSystem, isAnswer(message), message.topic ?? ''].join(' '),
  );
  for (const group of groups) {
    const [first] = group;
    const environment = first && states.get(first.claim)?.environment;
    if (!environment) continue;
    const addresses = group.map(({ recipients }) => waiting(recipients).map(({ address }) => address));
    const { topic, isSystem } = first.message;
    const purpose = { topic, isSystem, isAnswer: isAnswer(first.message) };
    const all = await checkEligibility(context, environment, purpose, addresses.flat());
    let start = 0;
    for (const [index, { message }] of group.entries()) {
      const end = start + (addresses[index]?.length ?? 0);
      found.set(
        message.id,
        all.slice(start, end).map((each) => forItsContact(name, message, each)),
      );
      start = end;
    }
  }
  return found;
}
