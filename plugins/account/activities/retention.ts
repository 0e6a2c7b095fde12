import type { Deployment } from '#core/kernel/deployment.js';
import type { Retention } from '#core/kernel/environment/retention.js';

/** The rows of a retention, as replies name it. */
export const activitiesKept = { variable: 'SVC_AUDIT_RETENTION_DAYS', rows: 'audit records written' } as const;

/** How long audit records are kept (core/platform/housekeeping.ts deletes them). */
export const activityRetentionOf = ({ settings }: Pick<Deployment, 'settings'>): Retention => ({
  ...activitiesKept,
  days: settings.auditRetentionDays,
});
