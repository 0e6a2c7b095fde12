import { renameQueueColumns } from '#core/runtime/work/tables.js';

export const up: readonly string[] = [renameQueueColumns('audience_import_queue')];
