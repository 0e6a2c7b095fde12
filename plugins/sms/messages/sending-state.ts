import type { Environment } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { deploymentSettings } from '../deployment/settings.js';
import { settingsTable } from '../settings/table.js';

/** Why no text of an environment leaves. */
export type StateProblem = 'registration_required' | 'registration_failed' | 'no_number';

/** What texts of an environment need beside a recipient who may get them. */
export interface SendingState {
  /** Null when texts may leave. */
  readonly problem: StateProblem | null;
  /** The number that texts leave from: the environment's default one, else the deployment's; null without one. */
  readonly from: string | null;
}

type Reading = { readonly db: ReadSession; readonly deployment: Pick<Deployment, 'settingsOf'> };

/**
 * Reads anew, each time, whether texts of an environment may leave: a number that was given back or a registration that failed counts at
 * once.
 */
export async function sendingState(
  { db, deployment }: Reading,
  { id, kind }: Pick<Environment, 'id' | 'kind'>,
): Promise<SendingState> {
  const { smsRegistration } = deployment.settingsOf(deploymentSettings);
  const isRegistrationNeeded = kind === 'live' && smsRegistration === 'required';
  // Reads that are asked for together share a round trip.
  const [numbers, registrations] = await Promise.all([
    findNumbersFrom({ db, deployment }, [id]),
    isRegistrationNeeded
      ? db.prepared<{ stage: Buffer }>('SELECT stage FROM sms_registration WHERE environment_id = ?', [idBytes(id)])
      : [],
  ]);
  const from = numbers.get(id) ?? null;
  if (isRegistrationNeeded) {
    const [registration] = registrations;
    if (!registration) return { problem: 'registration_required', from };
    if (registration.stage.toString() === 'failed') return { problem: 'registration_failed', from };
  }
  return { problem: from === null ? 'no_number' : null, from };
}

/** The numbers that texts of some environments leave from. @returns by environment id; environments without a number are absent */
export async function findNumbersFrom(
  { db, deployment }: Reading,
  environmentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { smsFrom } = deployment.settingsOf(deploymentSettings);
  const keys = environmentIds.map(idBytes);
  const [settings, numbers] = await Promise.all([
    db.rows<object>(`SELECT ${settingsTable.columnList()} FROM sms_settings WHERE environment_id IN (?)`, [keys]),
    db.rows<{ id: Buffer; number: Buffer }>(
      "SELECT id, number FROM sms_number WHERE environment_id IN (?) AND status = 'assigned'",
      [keys],
    ),
  ]);
  const chosen = new Map(
    settings
      .map((row) => settingsTable.decode(row))
      .map(({ environmentId, changed }) => [environmentId, changed.defaultNumberId ?? null]),
  );
  const byId = new Map(numbers.map(({ id, number }) => [idText(id), number.toString()]));
  return new Map(
    environmentIds.flatMap((id): [string, string][] => {
      const from = byId.get(chosen.get(id) ?? '') ?? smsFrom;
      return from === undefined ? [] : [[id, from]];
    }),
  );
}
