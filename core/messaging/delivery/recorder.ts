import type { WorkerServices } from '#core/kernel/worker-services.js';
import { isUnavailable } from '#core/runtime/database/errors.js';
import { retryWhileUnreachable } from '#core/runtime/database/server/retry-while-unreachable.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import type { DeliveryDriver, DeliveryReport } from '../driver.js';
import type { MessageFields } from '../tables.js';
import { recordOutcomes, type Outcome } from './record.js';

/** The largest number of outcomes in one transaction. */
const maxItems = 200;
/** Milliseconds between two batches, so that more messages share a commit. A single message is recorded immediately. */
const recordPauseMs = 15;

/** Records outcomes in batches. Both resolve once the outcome is committed. */
export interface Recorder<M> {
  record(outcome: Outcome<M>): Promise<unknown>;
  /**
   * Records an attempt. If it cannot be stored with the server's answer, it is stored without it: a message that is not
   * recorded would be sent again.
   * @throws if it cannot be recorded at all, for example while the database cannot be reached
   */
  recordAttempt(outcome: Omit<Outcome<M>, 'result'>, report: DeliveryReport<M>): Promise<void>;
}

export function createRecorder<M extends MessageFields, C>(
  services: Pick<WorkerServices, 'transaction' | 'log'>,
  driver: DeliveryDriver<M, C>,
): Recorder<M> {
  const record = createBatcher(
    (outcomes: readonly Outcome<M>[]) => retryWhileUnreachable(() => recordOutcomes(services, driver, outcomes)),
    // One outcome that cannot be written does not make the other messages be sent again.
    { maxItems, pauseMs: recordPauseMs, splitOnError: true },
  );
  return {
    record,
    async recordAttempt(outcome, report) {
      try {
        await record({ ...outcome, result: report });
      } catch (error) {
        if (isUnavailable(error)) throw error;
        services.log.error(
          { err: error, queue: driver.queue.name, messageId: outcome.message.id },
          'recording an attempt failed; it is recorded without the replies',
        );
        const recipients = report.recipients.map((each) => ({ ...each, code: null, response: '' }));
        await record({ ...outcome, result: { ...report, recipients } });
      }
    },
  };
}
