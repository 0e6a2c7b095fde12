import { dayOf } from '#core/messaging/stats/count.js';
import { dayMs } from './months.js';

export { dayOf };

/** The date of a day, YYYY-MM-DD. @param day days since 1970-01-01 */
export const dateOfDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
