import type { Log } from '#core/runtime/log.js';
import type { Delivery, DeliveryDriver, DeliveryReport } from '../driver.js';
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
    log.error(
      { err: error, queue: queue.name, messageId: delivery.message.id, attempt: delivery.attempt },
      'a delivery attempt failed with an internal error; it counts as a temporary failure',
    );
    return {
      durationMs: performance.now() - began,
      recipients: delivery.recipients.map(({ address }) => ({
        address,
        outcome: 'temporary',
        code: null,
        response: 'svc could not submit the message because of an internal error; see its log.',
      })),
    };
  }
}
