import type { Environment } from '#core/kernel/caller/caller.js';
import { turnsOf } from '#core/kernel/caller/share.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { isUnavailable } from '#core/runtime/database/errors.js';
import { crashPoint } from '#core/runtime/fault.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import { attemptDeliveries } from '../delivery/attempt.js';
import { checkedForMs, longestCheckMs, submittableMs } from '../delivery/check-times.js';
import type { Recorder } from '../delivery/recorder.js';
import type { SendSlot } from '../delivery/send-slots.js';
import type { Sending } from '../delivery/sending.js';
import type { Delivery, DeliveryReport, DeliveryRun } from '../driver.js';
import type { MessageFields, RecipientRow } from '../tables.js';
import { checkChunk, type CheckedChunk, type Chunk } from './check.js';
import type { BulkDriver } from './driver.js';
import { handOver, type TakeOver } from './leave.js';
import type { ChunkJournal } from './journal.js';
import { acceptedAnswer } from './record.js';

/** A message that is rendered. */
interface PartMessage<M, C> {
  readonly message: M;
  readonly address: string;
  readonly content: C | undefined;
}

/** The next messages of a chunk, rendered. */
export interface RenderedPart<B, M, C> {
  readonly environment: Environment;
  readonly broadcast: B;
  readonly messages: readonly PartMessage<M, C>[];
  /** The range of ids that was checked: above `after`, up to `lastId`. */
  readonly after: string;
  /** The messages whose recipients may not get them. */
  readonly left: readonly string[];
  readonly lastId: string;
  /** When its check began, by performance.now(). */
  readonly checkedAt: number;
}

/** Renders the messages of a check whose recipients may get them. */
export async function renderPart<B extends BroadcastFields, M extends MessageFields, C>(
  { kind, delivery, addressed }: BulkDriver<B, M, C>,
  { madeAt }: Chunk,
  { environment, broadcast, messages, at }: Extract<CheckedChunk<B>, { kind: 'open' }>,
  after: string,
): Promise<RenderedPart<B, M, C>> {
  const shared = kind.messageOf(broadcast, madeAt);
  const allowed = messages.filter(({ isAllowed }) => isAllowed);
  const own = allowed.map(({ id, contactId, address }): M => ({ ...shared, id, contactId, ...addressed(address) }));
  const contents = await (delivery.composeMany?.(environment, own) ?? delivery.loadContents(own));
  const contentOf = ({ id, contentId }: M): C | undefined =>
    contents.get(id) ?? (contentId === null ? undefined : contents.get(contentId));
  await delivery.beforeAttempt?.(own.map((message) => ({ message, content: contentOf(message), attempt: 1 })));
  return {
    environment,
    broadcast,
    messages: own.map((message, index) => ({
      message,
      address: allowed[index]?.address ?? '',
      content: contentOf(message),
    })),
    left: messages.filter(({ isAllowed }) => !isAllowed).map(({ id }) => id),
    after,
    lastId: messages.at(-1)?.id ?? after,
    checkedAt: at,
  };
}

/** What a part is sent with. */
export interface SendingChunk<B extends BroadcastFields, M extends MessageFields> {
  readonly chunk: Chunk;
  readonly sending: Sending;
  readonly store: ChunkJournal<B, M>['store'];
  /** Records the attempts that were not simply accepted, in the delivery queue, once they were taken over there. */
  readonly recorder: Recorder<M>;
  readonly takeOver: TakeOver;
  /** The attempts that are not yet recorded. */
  readonly running: Set<Promise<void>>;
  /** The messages that waited too long for a connection, and stay in the chunk. */
  readonly withdrawn: Set<string>;
  readonly isStopping: () => boolean;
}

/** The share of a part that has been submitted when the next one is checked and rendered. */
const beginsNextAt = 0.5;

/**
 * Submits the messages of a part, over each send slot one after another.
 * @param beginNext called when the next part should be checked and rendered, so that its check is young as it leaves
 * @returns `all` once the last one has been submitted, though not yet answered; `stopped` if the rest must wait,
 *   because the broadcast was held, the lease is lost, the process stops, or no slot became free
 */
export async function sendPart<B extends BroadcastFields, M extends MessageFields, C>(
  services: WorkerServices,
  bulk: BulkDriver<B, M, C>,
  part: RenderedPart<B, M, C>,
  { chunk, sending, store, takeOver, recorder, running, withdrawn, isStopping }: SendingChunk<B, M>,
  beginNext: () => void,
): Promise<'all' | 'stopped'> {
  const { delivery } = bulk;
  const { environment, broadcast } = part;
  const turns = turnsOf(environment);
  let [checkedAt, after] = [part.checkedAt, part.after];
  let refused = new Set<string>();
  const left: string[] = [];
  /** The messages that the channel's rate does not let leave yet. */
  const later: { id: string; at: Date }[] = [];

  /** @returns false if the rest must wait */
  const checkAgain = async (): Promise<boolean> => {
    const range = { after, upTo: part.lastId, count: part.messages.length };
    const checked = await checkChunk(services, bulk, chunk, range);
    if (checked.kind !== 'open') return false;
    const allowed = new Set(checked.messages.flatMap(({ id, isAllowed }) => (isAllowed ? [id] : [])));
    refused = new Set(part.messages.flatMap(({ message: { id } }) => (allowed.has(id) ? [] : [id])));
    checkedAt = checked.at;
    return true;
  };
  const ageOfCheck = (): number => performance.now() - checkedAt;
  /** Whether the next message may leave: its check is young, or was made again. */
  const isCurrent = async (): Promise<boolean> => {
    if (isStopping()) return false;
    if (ageOfCheck() > checkedForMs(lanes.bulk) && !(await checkAgain())) return false;
    // The process, or the database, stood still in between.
    return ageOfCheck() <= longestCheckMs || checkAgain();
  };

  /** How many of the messages have been taken or left out. */
  let taken = 0;
  /** Leaves out messages that may not be sent any longer. @returns the next one that may be */
  const peek = (): PartMessage<M, C> | undefined => {
    for (let next = part.messages[taken]; next; next = part.messages[taken]) {
      if (!refused.has(next.message.id)) return next;
      left.push(next.message.id);
      pass(next);
    }
    return undefined;
  };
  const pass = ({ message }: PartMessage<M, C>): void => {
    taken += 1;
    after = message.id;
    if (taken >= part.messages.length * beginsNextAt) beginNext();
  };
  const isPaced = ({ address }: PartMessage<M, C>): boolean =>
    delivery.sendableFrom !== undefined && (delivery.isPaced?.([address]) ?? true);

  /** Gives each message its turn, over as many slots as there are. */
  const submitAll = async (): Promise<'all' | 'stopped'> => {
    /** The message that its channel's rate lets leave. */
    let isSendable: PartMessage<M, C> | undefined;
    for (let next = part.messages[taken]; next; next = part.messages[taken]) {
      if (isPaced(next) && isSendable !== next) {
        const at = await delivery.sendableFrom?.(next.message, [next.address], 'bulk');
        if (at) {
          later.push({ id: next.message.id, at });
          pass(next);
          continue;
        }
        isSendable = next;
      }
      const slot = await sending.sendSlots.acquire(turns, lanes.bulk);
      if (!slot) return 'stopped';
      const isFree = await isCurrent().catch((error: unknown) => {
        slot.end();
        throw error;
      });
      const first = isFree ? peek() : undefined;
      if (!first || (isPaced(first) && isSendable !== first)) slot.end();
      else {
        pass(first);
        const run = submitFrom(first, slot).finally(() => running.delete(run));
        running.add(run);
      }
      if (!isFree) return 'stopped';
    }
    return 'all';
  };

  /** Submits a message over a slot, and then others over the same one, as long as they may leave. */
  const submitFrom = async (first: PartMessage<M, C>, firstSlot: SendSlot): Promise<void> => {
    let slot = firstSlot;
    let given: PartMessage<M, C> | undefined = first;
    const open = new Map<Delivery<M, C>, { readonly address: string; readonly slot: SendSlot }>();
    const recording = new Set<Promise<void>>();
    let restart = (): void => undefined;

    const next = (): PartMessage<M, C> | undefined => {
      if (given) {
        const only = given;
        given = undefined;
        return only;
      }
      if (isStopping() || ageOfCheck() > checkedForMs(lanes.bulk)) return undefined;
      const following = peek();
      if (!following || isPaced(following)) return undefined;
      const passedOn = slot.passOn();
      if (!passedOn) return undefined;
      slot = passedOn;
      pass(following);
      return following;
    };
    const run: DeliveryRun<M, C> = {
      next() {
        const found = next();
        if (!found) return undefined;
        crashPoint(`${delivery.name}.attempt.before`);
        if (open.size === 0) restart();
        const { message, address, content } = found;
        const recipients = [{ address, position: 0 }];
        const submitBy = checkedAt + submittableMs;
        const taken = { message, environment, content, recipients, attempt: 1, submitBy, preferencesUrl: null };
        open.set(taken, { address, slot });
        return taken;
      },
      isCurrent: () => ageOfCheck() <= longestCheckMs,
      answered(of, report) {
        const attempt = open.get(of);
        if (!attempt) return;
        open.delete(of);
        restart();
        crashPoint(`${delivery.name}.answer.after`);
        if (!report) withdrawn.add(of.message.id);
        const recorded = (report ? recordReport(of.message, attempt.address, report) : Promise.resolve())
          .then(() => crashPoint(`${delivery.name}.record.after`))
          .catch((error: unknown) => logUnrecorded(of.message.id, error))
          .finally(() => {
            attempt.slot.end();
            recording.delete(recorded);
          });
        recording.add(recorded);
      },
    };
    await sending.stalls.watch(
      environment.accountId,
      lanes.bulk,
      () => slot.release(),
      async (begin) => {
        restart = begin;
        await attemptDeliveries(services.log, delivery, environment, run, open);
      },
    );
    slot.release();
    await Promise.all(recording);
  };

  const logUnrecorded = (messageId: string, error: unknown): void =>
    services.log.error(
      { err: error, queue: bulk.chunks.name, messageId },
      'an attempt could not be recorded; the message is sent again',
    );

  const recordReport = async (message: M, address: string, report: DeliveryReport<M>): Promise<void> => {
    const recipient = recipientOf(message, address, delivery.keyOf(address));
    const answer = acceptedAnswer(report);
    if (answer) {
      const { durationMs } = report;
      try {
        await store({ broadcast, environment, message: report.message ?? message, recipient, answer, durationMs });
        return;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        // Its answer may be what cannot be stored: it is recorded on its own, if need be without the answer.
      }
    }
    const claim = await takeOver(message.id);
    if (!claim) return;
    await recorder.recordAttempt({ claim, message, environment, recipients: [recipient], blocked: new Map() }, report);
  };

  const outcome = await submitAll();
  await handOver(services, bulk, chunk, left, services.clock.now());
  const first = later.reduce<Date | null>((least, { at }) => (least && least <= at ? least : at), null);
  if (first)
    await handOver(
      services,
      bulk,
      chunk,
      later.map(({ id }) => id),
      first,
    );
  return outcome;
}

const recipientOf = ({ id, environmentId }: MessageFields, address: string, addressKey: string): RecipientRow => ({
  messageId: id,
  position: 0,
  environmentId,
  address,
  addressKey,
  status: 'queued',
  code: null,
  response: null,
  providerId: null,
  endedAt: null,
});
