import type { Environment } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { deploymentSettings } from '../deployment-settings.js';
import { loadSettings } from '../settings/load.js';

/** Why no text of an environment leaves. */
export type StateProblem = 'registration_required' | 'registration_failed' | 'no_number';

/** What texts of an environment need beside a recipient who may get them. */
export interface SendingState {
  /** Null when texts may leave. */
  readonly problem: StateProblem | null;
  /** The number that texts leave from: the environment's default one, else the deployment's; null without one. */
  readonly from: string | null;
}

/** Reads anew, each time, whether texts of an environment may leave: a number that was released or a registration that failed counts at once. */
export async function sendingState(
  { db, deployment }: { readonly db: ReadSession; readonly deployment: Pick<Deployment, 'settingsOf'> },
  environment: Pick<Environment, 'id' | 'kind'>,
): Promise<SendingState> {
  const { smsFrom, smsRegistration } = deployment.settingsOf(deploymentSettings);
  const isRegistrationNeeded = environment.kind === 'live' && smsRegistration === 'required';
  const key = idBytes(environment.id);
  // Reads that are asked for together share a round trip.
  const [{ defaultNumberId }, numbers, registrations] = await Promise.all([
    loadSettings(db, environment.id),
    db.prepared<{ id: Buffer; number: Buffer }>(
      "SELECT id, number FROM sms_number WHERE environment_id = ? AND status = 'assigned'",
      [key],
    ),
    isRegistrationNeeded
      ? db.prepared<{ stage: Buffer }>('SELECT stage FROM sms_registration WHERE environment_id = ?', [key])
      : [],
  ]);
  const own = defaultNumberId === null ? undefined : numbers.find(({ id }) => id.equals(idBytes(defaultNumberId)));
  const from = own?.number.toString() ?? smsFrom ?? null;
  if (isRegistrationNeeded) {
    const [registration] = registrations;
    if (!registration) return { problem: 'registration_required', from };
    if (registration.stage.toString() === 'failed') return { problem: 'registration_failed', from };
  }
  return { problem: from === null ? 'no_number' : null, from };
}
