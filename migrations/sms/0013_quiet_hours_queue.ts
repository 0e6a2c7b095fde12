import { queueTable } from '#core/runtime/work/tables.js';

/** One row per environment whose quiet hours have changed, until its waiting texts are due again. */
export const up: readonly string[] = [queueTable('sms_quiet_hours_queue')];
