import { queueTable } from '#core/runtime/work/tables.js';

/** What large organizations leave when they are deleted is removed behind. */
export const up: readonly string[] = [queueTable('auth_org_removal_queue')];
