import type { Log } from '#core/runtime/log.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Delivery, DeliveryDriver, DeliveryReport, DeliveryRun } from '../driver.js';
import type { MessageFields } from '../tables.js';

/**
 * Hands a message to the channel's transport, once. It does not throw: an error of svc itself counts as a temporary
 * failure of every recipient, so that the message is retried by the channel's rules and finally fails.
 * @returns the transport's report
 */
export async function attemptDelivery<M extends MessageFields, C>(
  log: Log,
  { deliver, queue }: Pick<DeliveryDriver<M, C>, 'deliver' | 'queue'>,
  delivery: Delivery<M, C>,
): Promise<DeliveryReport<M>> {
  const began = performance.now();
  try {
    return await deliver(delivery);
  } catch (error) {
    return failed(log, queue.name, delivery, error, performance.now() - began);
  }
}

/**
 * Hands messages to the channel's transport one after another. It does not throw: what was taken from the run and not
 * answered when the transport fails counts as a temporary failure.
 * @param open the messages that were taken and not answered
 */
export async function attemptDeliveries<M extends MessageFields, C>(
  log: Log,
  driver: Pick<DeliveryDriver<M, C>, 'deliver' | 'deliverEach' | 'queue'>,
  environment: Environment,
  run: DeliveryRun<M, C>,
  open: ReadonlyMap<Delivery<M, C>, unknown>,
): Promise<void> {
  if (!driver.deliverEach) {
    for (let delivery = run.next(); delivery; delivery = run.next())
      run.answered(delivery, await attemptDelivery(log, driver, delivery));
    return;
  }
  try {
    await driver.deliverEach(environment, run);
  } catch (error) {
    for (const delivery of [...open.keys()]) run.answered(delivery, failed(log, driver.queue.name, delivery, error, 0));
  }
}

function failed<M extends MessageFields, C>(
  log: Log,
  queue: string,
  { message, attempt, recipients }: Delivery<M, C>,
  error: unknown,
  durationMs: number,
): DeliveryReport<M> {
  log.error(
    { err: error, queue, messageId: message.id, attempt },
    'a delivery attempt failed with an internal error; it counts as a temporary failure',
  );
  return {
    durationMs,
    recipients: recipients.map(({ address }) => ({
      address,
      outcome: 'temporary',
      code: null,
      response: 'svc could not submit the message because of an internal error; see its log.',
    })),
  };
}
