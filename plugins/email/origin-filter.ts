import type { Deployment } from '#core/kernel/deployment.js';
import { requireKnown } from '#core/messaging/known-origins.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { automations } from './tables/automation.js';
import { broadcasts } from './tables/broadcast.js';
import { templates } from './tables/template.js';

/** The filters for messages, besides their tags. */
interface OriginFilter {
  readonly template?: string | undefined;
  readonly broadcastId?: string | undefined;
  readonly automationId?: string | undefined;
}

/** Refuses a filter that names nothing. @throws not_found */
export const requireKnownOrigins = (
  { db, deployment }: { readonly db: ReadSession; readonly deployment: Pick<Deployment, 'systemTemplates'> },
  environmentId: string,
  { template, broadcastId, automationId }: OriginFilter,
): Promise<void> =>
  requireKnown([
    {
      given: template,
      isKnown: async (name) =>
        Boolean(systemTemplateOf(deployment, 'email', name)) ||
        (await db.findOne(templates, { environmentId, name })) !== null,
      notFound: { thing: 'template', lookup: 'email.template.list' },
    },
    {
      given: broadcastId,
      isKnown: async (id) => (await db.findOne(broadcasts, { environmentId, id })) !== null,
      notFound: broadcasts.notFound,
    },
    {
      given: automationId,
      isKnown: async (id) => (await db.findOne(automations, { environmentId, id })) !== null,
      notFound: automations.notFound,
    },
  ]);
