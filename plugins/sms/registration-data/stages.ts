export const registrationStages = ['submitted', 'registering', 'active', 'action_needed', 'failed'] as const;
export type RegistrationStage = (typeof registrationStages)[number];

/** What must be corrected before a registration can continue. */
export interface RegistrationProblem {
  code: string;
  message: string;
  fix: string;
}
