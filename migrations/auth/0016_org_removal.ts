import { queueTable } from '#core/runtime/work/tables.js';

/** The rows of large organizations are removed in the background after the organization is deleted. */
export const up: readonly string[] = [queueTable('auth_org_removal_queue')];
