import type { BroadcastStatus } from '../broadcasts/tables.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idList } from '#core/runtime/database/literal.js';
import { idText } from '#core/runtime/id.js';
import { validClaims, type Claim } from '#core/runtime/work/queue.js';
import type { DeliveryChannel, LoadedMessage, RecipientEligibility } from '../channel.js';
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
  /** `eligibility` is that of the recipients who are still queued, in their order. */
  | {
      readonly kind: 'current';
      readonly environment: Environment;
      /** The last closure of the account that has ended. */
      readonly closure: Closure | undefined;
      /** The status of the message's broadcast: `held` also where a closure of the account will hold it. Null without one. */
      readonly broadcast: BroadcastStatus | null;
      readonly eligibility: readonly RecipientEligibility[];
    };

export interface Closure {
  readonly from: Date;
  readonly to: Date;
}

/** The recipients that are still to be reached. */
export const waiting = (recipients: readonly RecipientRow[]): RecipientRow[] =>
  recipients.filter(({ status }) => status === 'queued');

/**
 * Reads, for many messages at once and without a transaction, what may have changed since they were accepted: whether this process still
 * has them, whether the account is open, and who may get them. Called right before they leave, so that an opt-out that has committed by
 * then holds.
 * @returns one result per message, in their order
 */
export async function recheckMessages<M extends MessageFields, C>(
  services: Pick<WorkerServices, 'database' | 'read'>,
  channel: DeliveryChannel<M, C>,
  candidates: readonly Candidate<M>[],
): Promise<Checked[]> {
  const states = await leasedStates(services, channel, candidates);
  const leased = candidates.filter(({ claim }) => states.has(claim));
  const eligibility = await eligibilityOf(services, channel, leased, states);
  return candidates.map(({ claim, message }) => {
    const state = states.get(claim);
    return state ? { kind: 'current', ...state, eligibility: eligibility.get(message.id) ?? [] } : { kind: 'lost' };
  });
}

/** Reads or renders the contents of many messages. @returns one for each, in their order; undefined where it is gone */
export async function contentsOf<M extends MessageFields, C>(
  channel: Pick<DeliveryChannel<M, C>, 'loadContents'>,
  candidates: readonly Candidate<M>[],
): Promise<(C | undefined)[]> {
  const contents = await channel.loadContents(candidates.map(({ message }) => message));
  return candidates.map(({ message: { id, contentId } }) =>
    contentId === null ? undefined : (contents.get(id) ?? contents.get(contentId)),
  );
}

interface State {
  environment: Environment;
  closure: Closure | undefined;
  broadcast: BroadcastStatus | null;
}

interface StateColumns extends EnvironmentColumns {
  id: Buffer;
  lease_token: Buffer | null;
  last_closed_at: Date | null;
  reopened_at: Date | null;
  broadcast_status: BroadcastStatus | null;
  released_at: Date | null;
}

/** The environments and broadcasts of the messages, by the claims whose leases still hold. */
async function leasedStates<M extends MessageFields, C>(
  { database }: Pick<WorkerServices, 'database'>,
  { queue, tables }: DeliveryChannel<M, C>,
  candidates: readonly Candidate<M>[],
): Promise<Map<Claim, State>> {
  const broadcasts = tables.broadcasts?.broadcasts.tableName;
  const ofBroadcast = broadcasts
    ? {
        columns: 'CONVERT(b.status USING utf8mb4)',
        released: 'b.released_at',
        join: ` LEFT JOIN ${broadcasts} b ON b.id = m.broadcast_id`,
      }
    : { columns: 'NULL', released: 'NULL', join: '' };
  const rows = await database.rows<StateColumns>(
    `SELECT q.id, q.lease_token, ${environmentColumns}, e.last_closed_at, e.reopened_at,
       ${ofBroadcast.columns} AS broadcast_status, ${ofBroadcast.released} AS released_at
     FROM ${queue.table} q JOIN ${tables.messages.tableName} m ON m.id = q.id JOIN svc_environment e ON e.id = m.environment_id${ofBroadcast.join}
     WHERE q.id IN (?)`,
    [idList(candidates.map(({ claim }) => claim.id))],
  );
  const claims = validClaims(
    candidates.map(({ claim }) => claim),
    rows,
  );
  const byId = new Map(rows.map((row) => [idText(row.id), row]));
  return new Map(
    [...claims].flatMap((claim) => {
      const row = byId.get(claim.id);
      if (!row) return [];
      const { last_closed_at: from, reopened_at: to } = row;
      const state = { environment: environmentFrom(row), closure: from && to ? { from, to } : undefined };
      return [[claim, { ...state, broadcast: statusOf(row) }] as const];
    }),
  );
}

/** A closure after the broadcast was released holds it, although the row may say so only later. */
function statusOf({
  broadcast_status: status,
  released_at: released,
  last_closed_at: closed,
}: StateColumns): State['broadcast'] {
  return status === 'sending' && released && closed && closed > released ? 'held' : status;
}

/** Checks eligibility once for all messages of one environment and purpose. */
async function eligibilityOf<M extends MessageFields, C>(
  { read }: Pick<WorkerServices, 'read'>,
  { name, checkEligibility, isAnswer = () => false }: DeliveryChannel<M, C>,
  candidates: readonly Candidate<M>[],
  states: ReadonlyMap<Claim, State>,
): Promise<Map<string, readonly RecipientEligibility[]>> {
  const found = new Map<string, readonly RecipientEligibility[]>();
  if (candidates.length === 0) return found;
  const groups = groupBy(candidates, ({ message }) =>
    [message.environmentId, message.isSystem, isAnswer(message), message.topic ?? ''].join(' '),
  );
  await read(`Delivery of ${name}`, async (context) => {
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
        found.set(message.id, all.slice(start, end));
        start = end;
      }
    }
  });
  return found;
}
