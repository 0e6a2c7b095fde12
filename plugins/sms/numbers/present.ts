import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { loadSettings } from '../settings/load.js';
import type { NumberRow } from '../tables/number.js';
import type { PhoneNumber } from './resources.js';

type PhoneNumberValue = ValueOf<typeof PhoneNumber>;

/** A number as replies and events show it. @param defaultNumberId the environment's, from its settings */
export const presentNumber = (row: NumberRow, defaultNumberId: string | null): PhoneNumberValue => ({
  id: row.id,
  number: row.number,
  country: row.country,
  capabilities: row.capabilities,
  default: row.id === defaultNumberId,
  assignedAt: (row.assignedAt ?? row.createdAt).toISOString(),
  releasedAt: row.releasedAt?.toISOString() ?? null,
});

/** The same, with the settings as they are now. */
export async function shownNumber(db: ReadSession, row: NumberRow): Promise<PhoneNumberValue> {
  const { defaultNumberId } = await loadSettings(db, row.environmentId);
  return presentNumber(row, defaultNumberId);
}
