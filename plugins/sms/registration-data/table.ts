import {
  bytesColumn,
  choiceColumn,
  idColumn,
  jsonColumn,
  nullable,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

import type { FiledValue } from './resources.js';
import { registrationStages, type RegistrationProblem } from './stages.js';

/** The registration with the carriers; an environment has at most one. */
export const registrations = defineTable('sms_registration', {
  id: idColumn(),
  environmentId: uuidColumn(),
  stage: choiceColumn(registrationStages, 16),
  problems: jsonColumn<RegistrationProblem[]>(),
  /** What was submitted, with the tax id masked. */
  filed: jsonColumn<FiledValue & { taxId: string | null }>(),
  sealedTaxId: nullable(bytesColumn(500)),
  /** The provider's ids of what was submitted. */
  providerRefs: jsonColumn<Record<string, string>>(),
  /** The audit record of the call that submitted it. Its events refer to this record. */
  activityId: nullable(uuidColumn()),
  submittedAt: timeColumn(),
  updatedAt: timeColumn(),
});

export type RegistrationRow = RowOf<typeof registrations>;

/** One row per registration that the carriers have not decided on. The row has the registration's id. */
export const registrationQueueRef = { name: 'sms.registrations', table: 'sms_registration_queue' } as const;
