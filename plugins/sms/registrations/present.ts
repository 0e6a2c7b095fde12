import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { RegistrationRow } from '../registration-data/table.js';
import type { SmsRegistration } from '../registration-data/resources.js';

type SmsRegistrationValue = ValueOf<typeof SmsRegistration>;

/** A registration in the form of replies and events: the tax number is stored masked. */
export const presentRegistration = (row: RegistrationRow): SmsRegistrationValue => ({
  id: row.id,
  stage: row.stage,
  problems: row.problems,
  submittedAt: row.submittedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  filed: row.filed,
});
