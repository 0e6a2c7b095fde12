import type { Environment } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { deploymentSettings } from '../deployment/settings.js';
import { settingsTable } from '../settings/table.js';

/** Why no text of an environment can be sent. */
export type StateProblem = 'registration_required' | 'registration_failed' | 'no_number';

/** What texts of an environment need besides a recipient who may get them. */
export interface SendingState {
  /** Null if texts may be sent. */
  readonly problem: StateProblem | null;
  /**
   * The number that texts are sent from: the environment's default number, else the deployment's; null if there is
   * none.
   */
  readonly from: string | null;
}

/**
 * Reads whether texts of an environment may be sent. Nothing is cached: a number that was given back or a registration
 * that failed takes effect immediately.
 */
export async function sendingState(
  { db, deployment }: { readonly db: ReadSession; readonly deployment: Pick<Deployment, 'settingsOf'> },
  { id, kind }: Pick<Environment, 'id' | 'kind'>,
): Promise<SendingState> {
  const { smsRegistration } = deployment.settingsOf(deploymentSettings);
  const isRegistrationNeeded = kind === 'live' && smsRegistration === 'required';
  // Concurrent reads share a round trip.
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

/**
 * The numbers that texts of the given environments are sent from.
 * @returns by environment id; environments without a number are absent
 */
export async function findNumbersFrom(
  { db, deployment }: { readonly db: ReadSession; readonly deployment: Pick<Deployment, 'settingsOf'> },
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
