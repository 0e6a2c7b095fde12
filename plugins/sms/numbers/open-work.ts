import type { Context } from '#core/kernel/context.js';
import { findOpen, openBroadcasts, type OpenWorkFinder } from '#core/messaging/broadcasts/open-work.js';

/** See `smsOpenWork` in ports.ts. A number's rent is charged until it is released, also while nothing can use it. */
export const makeOpenWork = ({ db }: Pick<Context, 'db'>): OpenWorkFinder => ({
  find: async (environmentIds) => [
    ...(await findOpen(db, 'sms_number', environmentIds, {
      statuses: ['assigning', 'assigned'],
      words: ['phone number', 'phone numbers'],
      nextStep: 'release them with sms.number.release',
    })),
    ...(await findOpen(db, 'sms_broadcast', environmentIds, {
      statuses: openBroadcasts,
      words: ['open SMS broadcast', 'open SMS broadcasts'],
      nextStep: 'cancel them with sms.broadcast.cancel',
    })),
  ],
});
