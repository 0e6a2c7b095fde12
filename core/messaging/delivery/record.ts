import type { Environment } from '#core/kernel/caller/caller.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shift } from '#core/runtime/clock.js';
import { joined } from '#core/runtime/database/statement.js';
import { crashPoint } from '#core/runtime/fault.js';
import { completeMany, lockLeases, postponeMany, type Claim } from '#core/runtime/work/queue.js';
import type { BlockedBy } from '../blocked.js';
import type { DeliveryDriver, DeliveryReport, RecipientReport } from '../driver.js';
import { cancelWaiting, finalizeMessages, recipientStatements } from '../finalize.js';
import { dueAt } from '../due.js';
import { renderedStatements } from '../rendered.js';
import type { AttemptRow, MessageFields, RecipientRow } from '../tables.js';
import { triedSince } from './tried-since.js';

/** Why an address is left out. */
export interface Blocking {
  readonly reason: string;
  readonly by: BlockedBy | null;
}

/** The outcome of a message that had a slot. */
export interface Outcome<M> {
  readonly claim: Claim;
  readonly message: M;
  readonly environment: Environment;
  /** All recipients, as they were loaded. */
  readonly recipients: readonly RecipientRow[];
  /** Why some addresses were left out. */
  readonly blocked: ReadonlyMap<string, Blocking>;
  /** The attempt; `cancelled` if its broadcast was cancelled or it is too old to send; `none` if nobody may get it. */
  readonly result: DeliveryReport<M> | 'cancelled' | 'none';
}

/** An outcome as rows. */
interface Settled<M> {
  readonly claim: Claim;
  readonly message: M;
  /** Whether rendering set fields of the message. */
  readonly isRendered: boolean;
  readonly environment: Environment;
  readonly recipients: readonly RecipientRow[];
  readonly attempts: readonly AttemptRow[];
  /** The recipients that the attempt was for, after it. */
  readonly answered: readonly RecipientRow[];
  /** When the recipients that are still queued are retried; null when the message has ended. */
  readonly retryAt: Date | null;
}

/**
 * Records outcomes in one transaction for many: queue rows, attempts, recipients, final statuses and events.
 * @returns for each whether it was recorded; false when its lease was lost: another worker has the message
 */
export async function recordOutcomes<M extends MessageFields, C>(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  driver: DeliveryDriver<M, C>,
  outcomes: readonly Outcome<M>[],
): Promise<boolean[]> {
  const claims = outcomes.map(({ claim }) => claim);
  const recorded = await transaction(`Delivery of ${driver.name}`, async (context) => {
    const { db, clock } = context;
    const at = clock.now();
    const leases = await lockLeases(db, driver.queue, claims);
    const current = outcomes.filter(({ claim }) => leases.has(claim));
    const since = await triedSince(db, driver, current, at);
    // No message is given up because of its age while the time cannot be trusted.
    const least = clock.isTrusted() ? null : shift(at, untrustedMs);
    const settled = current.map((each) => settle(driver, each, { at, since: since.get(each.message.id), least }));
    const ended = settled.filter(({ retryAt }) => retryAt === null);
    const postponed = settled.flatMap((each) => (each.retryAt === null ? [] : [{ ...each, dueAt: each.retryAt }]));
    const attempts = settled.flatMap((each) => each.attempts);
    // Ended messages are not among them: their rendered fields are written with their status.
    const rendered = postponed.filter(({ isRendered }) => isRendered).map(({ message }) => message);
    await db.defer(
      joined([
        ...(attempts.length > 0 ? [driver.tables.attempts.insertRows(attempts)] : []),
        ...recipientStatements(
          driver.tables,
          // Excludes recipients that have ended: a bounce may have been recorded for them since they were loaded.
          postponed.flatMap(({ recipients }) =>
            recipients.filter(({ status, endedAt }) => status === 'queued' || endedAt?.getTime() === at.getTime()),
          ),
        ),
        ...renderedStatements(driver.tables, driver.renderedFields ?? [], rendered),
      ]),
    );
    await postponeMany(db, driver.queue, postponed);
    await completeMany(
      db,
      driver.queue,
      ended.map(({ claim }) => claim),
    );
    await finalizeMessages(context, driver, ended, at, (change) =>
      driver.emit(context, change, change.message.activityId),
    );
    await driver.afterEnd?.(context, ended);
    await driver.afterAttempt?.(
      context,
      settled
        .filter((each) => each.attempts.length > 0)
        .map((each) => ({ ...each, recipients: each.answered, attempt: each.claim.attempts })),
    );
    crashPoint(`${driver.name}.outcomes.written`);
    return claims.map((claim) => leases.has(claim));
  });
  crashPoint(`${driver.name}.outcomes.committed`);
  return recorded;
}

/** When messages are tried again that would be given up while the time cannot be trusted. */
const untrustedMs = 10 * 60_000;

interface Now {
  readonly at: Date;
  /** See triedSince; undefined: since the message was due. */
  readonly since: Date | undefined;
  /** When to retry a message that would be given up; null if it may be given up. */
  readonly least: Date | null;
}

function settle<M extends MessageFields, C>(
  driver: Pick<DeliveryDriver<M, C>, 'retryAt'>,
  { claim, message, environment, recipients, blocked, result }: Outcome<M>,
  { at, since, least }: Now,
): Settled<M> {
  const [first] = blocked.values();
  const left = recipients.map((each): RecipientRow =>
    each.status === 'queued' && blocked.has(each.address) ? { ...each, status: 'suppressed', endedAt: at } : each,
  );
  const rendered = typeof result === 'string' ? undefined : result.message;
  const shared = {
    claim,
    environment,
    message: { ...(rendered ?? message), blockedReason: first?.reason ?? null, blockedBy: first?.by ?? null },
    isRendered: rendered !== undefined,
    attempts: [],
    answered: [],
  };
  if (result === 'none') return { ...shared, recipients: left, retryAt: null };
  if (result === 'cancelled') return { ...shared, recipients: cancelWaiting(left, at), retryAt: null };
  const retryAt = driver.retryAt(claim.attempts, since ?? dueAt(message), at, message) ?? least;
  const after = afterAttempt(left, result.recipients, retryAt, at);
  return {
    ...shared,
    recipients: after,
    attempts: [attemptRow(message.id, claim.attempts, result, at)],
    answered: after.filter((each, index) => each !== left[index]),
    retryAt: after.some(({ status }) => status === 'queued') ? retryAt : null,
  };
}

/** @param retryAt when a temporary failure is tried again; null when it is final */
const afterAttempt = (
  recipients: readonly RecipientRow[],
  reports: readonly RecipientReport[],
  retryAt: Date | null,
  at: Date,
): RecipientRow[] =>
  recipients.map((recipient) => {
    const report =
      recipient.status === 'queued' ? reports.find(({ address }) => address === recipient.address) : undefined;
    if (!report) return recipient;
    const { outcome, code, response, providerId = null } = report;
    if (outcome === 'sent') return { ...recipient, status: 'sent', code, response, providerId, endedAt: at };
    if (outcome === 'temporary' && retryAt) return { ...recipient, code, response };
    return { ...recipient, status: 'failed', code, response, endedAt: at };
  });

const severity = ({ outcome }: RecipientReport): number => ['sent', 'temporary', 'permanent'].indexOf(outcome);

/** An attempt as one row: of different answers it keeps the most severe one. */
function attemptRow(messageId: string, attempt: number, report: DeliveryReport<unknown>, at: Date): AttemptRow {
  const outcomes = new Set(report.recipients.map(({ outcome }) => outcome));
  const [worst] = [...report.recipients].sort((a, b) => severity(b) - severity(a));
  return {
    messageId,
    attempt,
    at,
    status: outcomes.size > 1 ? 'mixed' : (worst?.outcome ?? 'sent'),
    code: worst?.code ?? null,
    response: worst?.response.slice(0, 500) ?? '',
    durationMs: Math.round(report.durationMs),
  };
}
