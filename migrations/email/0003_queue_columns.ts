import { renameQueueColumns } from '#core/runtime/work/tables.js';

export const up: readonly string[] = [renameQueueColumns('email_queue')];
