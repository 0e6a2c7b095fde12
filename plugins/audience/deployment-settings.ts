import { integerSetting } from '#config/declare.js';

/** The settings of the deployment. */
export const deploymentSettings = {
  importRetentionDays: integerSetting({
    variable: 'SVC_IMPORT_RETENTION_DAYS',
    share: 'deployment',
    description: 'How many days the rejected rows of an import are kept after it ends. Its counts are kept.',
    defaultValue: 30,
    minimum: 1,
    maximum: 36_500,
  }),
} as const;
