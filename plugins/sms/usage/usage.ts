import { usagesIn } from '#core/messaging/usage.js';
import { usages } from '../tables/usage.js';

/** Templates in use. */
export const smsUsages = usagesIn(usages);
