import type { DeliveryDriver } from '../driver.js';
import type { MessageFields } from '../tables.js';
import type { Decision } from './decide.js';
import type { Prepared } from './prepare.js';
import { waiting } from './recheck.js';
import type { Recorder } from './recorder.js';

/**
 * Records that a message ends without being sent. If it was attempted before, the channel first finds out whether an
 * earlier attempt, whose answer was lost, has reached somebody (DeliveryDriver.settle). If so, the report of that
 * attempt is recorded instead.
 */
export async function endUnsent<M extends MessageFields, C>(
  { settle }: Pick<DeliveryDriver<M, C>, 'settle'>,
  { record, recordAttempt }: Recorder<M>,
  { candidate: { claim, message, recipients }, content }: Prepared<M, C>,
  { environment, blocked, result }: Extract<Decision<M, C>, { kind: 'end' }>,
): Promise<void> {
  const outcome = { claim, message, environment, recipients };
  const earlier =
    claim.attempts > 1
      ? await settle?.({
          message,
          environment,
          content,
          recipients: waiting(recipients),
          attempt: claim.attempts,
        })
      : null;
  if (earlier) await recordAttempt({ ...outcome, blocked: new Map() }, earlier);
  else await record({ ...outcome, blocked, result });
}
