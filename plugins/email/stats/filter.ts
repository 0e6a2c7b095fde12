import { refusalOf } from '#core/kernel/errors/common.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { automations } from '../tables/automation.js';
import { broadcasts } from '../tables/broadcast.js';
import { templates } from '../tables/template.js';
import { systemTemplate } from '../templates/channel.js';

/** What messages can be filtered by, beside their tags. */
export interface OriginFilter {
  readonly template?: string | undefined;
  readonly broadcastId?: string | undefined;
  readonly automationId?: string | undefined;
}

/**
 * Refuses a filter that names nothing: a list that is empty because of a typing error would pass for the truth. What was deleted or
 * archived is known.
 * @throws not_found
 */
export async function requireKnownOrigins(
  { db, deployment }: { readonly db: ReadSession; readonly deployment: Pick<Deployment, 'systemTemplates'> },
  environmentId: string,
  { template, broadcastId, automationId }: OriginFilter,
): Promise<void> {
  if (
    template !== undefined &&
    !systemTemplate(deployment, template) &&
    !(await db.findOne(templates, { environmentId, name: template }))
  )
    throw refusalOf.not_found({ thing: 'template', lookup: 'email.template.list' });
  if (broadcastId !== undefined && !(await db.findOne(broadcasts, { environmentId, id: broadcastId })))
    throw refusalOf.not_found({ ...broadcasts.notFound });
  if (automationId !== undefined && !(await db.findOne(automations, { environmentId, id: automationId })))
    throw refusalOf.not_found({ ...automations.notFound });
}
