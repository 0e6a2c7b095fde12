import { usagesIn } from '#core/messaging/usage.js';
import { usages } from '../tables/usage.js';

/** Templates and numbers in use. */
export const smsUsages = usagesIn(usages);
