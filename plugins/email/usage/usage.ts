import { usagesIn } from '#core/messaging/usage.js';
import { usages } from '../tables/usage.js';

export type { InUseBy } from '#core/messaging/usage.js';

/** Templates and sending domains in use. */
export const { markInUse, release, usagesOf } = usagesIn(usages);
