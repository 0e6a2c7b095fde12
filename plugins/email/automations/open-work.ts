import type { Context } from '#core/kernel/context.js';
import { findOpen, openBroadcasts, type OpenWorkFinder } from '#core/messaging/broadcasts/open-work.js';

/** See `emailOpenWork` in ports.ts. */
export const makeOpenWork = ({ db }: Pick<Context, 'db'>): OpenWorkFinder => ({
  find: async (environmentIds) => [
    ...(await findOpen(db, 'email_broadcast', environmentIds, {
      statuses: openBroadcasts,
      words: ['open email broadcast', 'open email broadcasts'],
      nextStep: 'cancel them with email.broadcast.cancel',
    })),
    ...(await findOpen(db, 'email_automation', environmentIds, {
      statuses: ['active'],
      words: ['active automation', 'active automations'],
      nextStep: 'pause or archive them with email.automation.pause or email.automation.archive',
    })),
  ],
});
