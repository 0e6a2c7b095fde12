import { idBytes, idText } from '#core/runtime/id.js';
import { findEnvironment } from '../environment/environment.js';
import type { WorkerServices } from '../worker-services.js';
import type { RequestedErasure } from '../person.js';
import { addressesCell } from './request.js';

const textAt = (value: unknown, name: string): string | null => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return typeof found === 'string' ? found : null;
};

/**
 * Loads a requested erasure.
 * @returns undefined if it is already done
 * @throws SealedValueError if it was encrypted with another key
 */
export async function loadErasure(
  { database, vault }: Pick<WorkerServices, 'database' | 'vault'>,
  id: string,
): Promise<RequestedErasure | undefined> {
  const [row] = await database.rows<{
    environment_id: Buffer;
    person_id: Buffer;
    addresses_sealed: Buffer;
    requested_at: Date;
    activity_id: Buffer | null;
  }>('SELECT environment_id, person_id, addresses_sealed, requested_at, activity_id FROM svc_erasure WHERE id = ?', [
    idBytes(id),
  ]);
  const environment = row && (await findEnvironment(database, idText(row.environment_id)));
  if (!environment) return undefined;
  const addresses: unknown = JSON.parse(vault.open(row.addresses_sealed, addressesCell(id)).toString('utf8'));
  return {
    environment,
    personId: idText(row.person_id),
    email: textAt(addresses, 'email'),
    phone: textAt(addresses, 'phone'),
    requestedAt: row.requested_at,
    activityId: row.activity_id && idText(row.activity_id),
  };
}
