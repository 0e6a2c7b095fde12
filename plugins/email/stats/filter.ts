import { refusalOf } from '#core/kernel/errors/common.js';
import { hasStats, type StatFilter } from '#core/messaging/stats/read.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { broadcasts } from '../tables/broadcast.js';
import { statTables } from '../tables/stat.js';

/** What messages can be filtered by, beside their tags. */
export interface OriginFilter {
  readonly template?: string | undefined;
  readonly broadcastId?: string | undefined;
  readonly automationId?: string | undefined;
}

/** The names of those origins, and the operations that list them. */
const origins = [
  { field: 'template', thing: 'template', lookup: 'email.message.list' },
  { field: 'broadcastId', thing: 'broadcast', lookup: 'email.message.list' },
  { field: 'automationId', thing: 'automation', lookup: 'email.message.list' },
] as const;

/**
 * Refuses a filter that names nothing: a list that is empty because of a typing error would pass for the truth.
 * @throws not_found
 */
export async function requireKnownOrigins(db: ReadSession, environmentId: string, filter: OriginFilter): Promise<void> {
  for (const { field, thing, lookup } of origins) {
    const value = filter[field];
    if (value === undefined) continue;
    const counted: StatFilter = {
      environmentId,
      dimension: thing,
      value: thing === 'template' ? value : value.toLowerCase(),
    };
    // What was deleted has left messages, and they are counted.
    const isDraft = thing === 'broadcast' && (await db.count(broadcasts, { id: value, environmentId })) > 0;
    if (!isDraft && !(await hasStats(db, statTables, counted))) throw refusalOf.not_found({ thing, lookup });
  }
}
