import { usagesIn } from '#core/messaging/templates/usage.js';
import { usages } from '../tables/usage.js';

export type { InUseBy } from '#core/messaging/templates/usage.js';

/** Templates and sending domains in use. */
export const { markInUse, release, usagesOf } = usagesIn(usages);
