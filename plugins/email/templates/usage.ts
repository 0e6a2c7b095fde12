import type { Context } from '#core/kernel/context.js';
import { markTemplateInUse as mark, markTemplateNamed as markNamed } from '#core/messaging/templates/usage.js';
import { markInUse, type InUseBy } from '../senders/usage.js';
import { emailTemplates } from './driver.js';

/**
 * Records that an open broadcast or automation uses a template, so that email.template.delete is refused until
 * `release` (usage/usage.ts).
 * @throws template_not_published
 */
export const markTemplateInUse = (
  { db }: Pick<Context, 'db'>,
  environmentId: string,
  template: string,
  inUseBy: InUseBy,
): Promise<void> => mark(db, emailTemplates, { markInUse }, { environmentId, template }, inUseBy);

/**
 * Records that an open broadcast or automation names a template that is missing or not published: once it is published,
 * it is in use.
 */
export const markTemplateNamed = (
  { db }: Pick<Context, 'db'>,
  environmentId: string,
  template: string,
  inUseBy: InUseBy,
): Promise<void> => markNamed(db, { markInUse }, { environmentId, template }, inUseBy);
