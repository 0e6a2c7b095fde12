import { textAt } from '#core/surfaces/console/kit/index.js';

/** The health of an endpoint in one word, from developers.webhook.get. */
export const healthOf = (health: unknown): 'healthy' | 'failing' | 'unused' =>
  textAt(health, 'failingSince') !== '' ? 'failing' : textAt(health, 'lastDeliveredAt') === '' ? 'unused' : 'healthy';

/** The outcome of an attempt in a few words: the status that the endpoint answered, or what went wrong. */
export function outcomeOf(delivery: unknown): string {
  const [status, error] = [textAt(delivery, 'responseStatus'), textAt(delivery, 'error')];
  if (error !== '' && error !== `answered ${status}`) return status === '' ? error : `${status}: ${error}`;
  return status === '' ? '' : `Answered ${status}`;
}

/** Whether a delivery waits for its next attempt. */
export const isWaiting = (delivery: unknown): boolean =>
  textAt(delivery, 'status') === 'queued' && Number(textAt(delivery, 'attempt')) > 1;

/** Whether developers.webhook.delivery.replay takes it. */
export const isReplayable = (delivery: unknown): boolean =>
  ['failed', 'dead'].includes(textAt(delivery, 'status')) || isWaiting(delivery);
