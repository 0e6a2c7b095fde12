import { renameQueueColumns } from '#core/runtime/work/tables.js';

export const up: readonly string[] = [renameQueueColumns('developers_webhook_queue')];
