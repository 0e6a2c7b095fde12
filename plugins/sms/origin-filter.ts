import type { ReadContext } from '#core/kernel/context.js';
import { requireKnown } from '#core/messaging/known-origins.js';
import { automationNames } from '#plugins/email/ports.js';
import { broadcasts } from './tables/broadcast.js';

/** What texts can be filtered by. */
interface OriginFilter {
  readonly broadcastId?: string | undefined;
  readonly automationId?: string | undefined;
}

/** Refuses a filter that names nothing. @throws not_found */
export const requireKnownOrigins = (
  { db, use }: Pick<ReadContext, 'db' | 'use'>,
  environmentId: string,
  { broadcastId, automationId }: OriginFilter,
): Promise<void> =>
  requireKnown([
    {
      given: broadcastId,
      isKnown: async (id) => (await db.findOne(broadcasts, { environmentId, id })) !== null,
      notFound: broadcasts.notFound,
    },
    {
      given: automationId,
      isKnown: (id) => use(automationNames).isKnown(environmentId, id),
      notFound: use(automationNames).notFound,
    },
  ]);
