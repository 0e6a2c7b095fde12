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

export const registrationStages = ['submitted', 'registering', 'active', 'action_needed', 'failed'] as const;
export type RegistrationStage = (typeof registrationStages)[number];

/** What must be mended before a registration can go on. */
export interface RegistrationProblem {
  code: string;
  message: string;
  fix: string;
}

/** The registration with the carriers; an environment has at most one. */
export const registrations = defineTable('sms_registration', {
  id: idColumn(),
  environmentId: uuidColumn(),
  stage: choiceColumn(registrationStages, 16),
  problems: jsonColumn<RegistrationProblem[]>(),
  /** What was filed, with the tax id masked. */
  filed: jsonColumn<Record<string, unknown>>(),
  sealedTaxId: nullable(bytesColumn(500)),
  /** The provider's ids of what was filed. */
  providerRefs: jsonColumn<Record<string, string>>(),
  /** The audit record of the call that filed it, which its events refer to. */
  activityId: nullable(uuidColumn()),
  submittedAt: timeColumn(),
  updatedAt: timeColumn(),
});

export type RegistrationRow = RowOf<typeof registrations>;

/** One row per registration that the carriers have not decided on. The row has the registration's id. */
export const registrationQueueRef = { name: 'sms.registrations', table: 'sms_registration_queue' } as const;
