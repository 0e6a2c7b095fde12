import type { Context } from '#core/kernel/context.js';
import { lockTemplate } from '#core/messaging/templates/find.js';
import { notPublished } from '#core/messaging/templates/published-contents.js';
import { templateTables } from '../tables/template.js';
import { markInUse, type InUseBy } from '../usage/usage.js';

/**
 * Records that something open uses a template, so that email.template.delete is refused until `release` (usage/usage.ts). Locks the template
 * until the transaction ends, as deleting it does.
 * @throws template_not_published
 */
export async function markTemplateInUse(
  { db }: Pick<Context, 'db'>,
  environmentId: string,
  name: string,
  inUseBy: InUseBy,
): Promise<void> {
  const template = await lockTemplate(db, templateTables, environmentId, name);
  if (!template || template.publishedId === null) throw notPublished('email', { name });
  await markInUse(db, environmentId, { kind: 'template', target: name }, inUseBy);
}
