import { namePattern } from '#core/kernel/schema/patterns.js';
import type { Session } from '#core/runtime/database/session.js';
import type { References, Referrer } from '../references.js';
import type { ChannelTemplates } from './channel.js';
import { lockTemplate } from './find.js';
import { notPublished } from './published-contents.js';

/**
 * Records that something open refers to a template, so that deleting it is refused until `freeReferences`. Locks the
 * template until the transaction ends, as deleting it does.
 * @throws template_not_published
 */
export async function markTemplateReferenced(
  db: Session,
  { name: channel, tables }: Pick<ChannelTemplates, 'name' | 'tables'>,
  { markReferenced }: Pick<References<'template'>, 'markReferenced'>,
  { environmentId, template: name }: { environmentId: string; template: string },
  referrer: Referrer,
): Promise<void> {
  const template = await lockTemplate(db, tables, environmentId, name);
  if (!template || template.publishedId === null) throw notPublished(channel, { name });
  await markReferenced(db, environmentId, { kind: 'template', target: name }, referrer);
}

/**
 * Records that something open names a template that is missing or not published: after it is published, deleting it is
 * refused until `freeReferences`.
 */
export async function markTemplateNamed(
  db: Session,
  { markReferenced }: Pick<References<'template'>, 'markReferenced'>,
  { environmentId, template }: { environmentId: string; template: string },
  referrer: Referrer,
): Promise<void> {
  // A text that is not a valid name can never become a template.
  if (new RegExp(namePattern).test(template))
    await markReferenced(db, environmentId, { kind: 'template', target: template }, referrer);
}
