import type { Services } from '#core/kernel/services.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import { importing } from './queue.js';

/** What runs behind the audience product: imports. */
export const work = (services: Services): WorkQueue[] => [importing(services)];
