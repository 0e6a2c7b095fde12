import { definePort } from '#core/kernel/port.js';
import type { BroadcastHolds } from '#core/messaging/broadcasts/past-due.js';

/** Billing holds the broadcasts of accounts that are past due, and lets them go on. */
export const smsBroadcastHolds = definePort<BroadcastHolds>('sms.broadcastHolds');
