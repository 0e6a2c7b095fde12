import type { Context } from '#core/kernel/context.js';
import {
  markTemplateReferenced as mark,
  markTemplateNamed as markNamed,
} from '#core/messaging/templates/references.js';
import { markReferenced, type Referrer } from '../senders/references.js';
import { emailTemplates } from './channel.js';

/**
 * Records that an open broadcast or automation refers to a template, so that email.template.delete is refused until
 * `freeReferences` (../senders/references.ts).
 * @throws template_not_published
 */
export const markTemplateReferenced = (
  { db }: Pick<Context, 'db'>,
  environmentId: string,
  template: string,
  referrer: Referrer,
): Promise<void> => mark(db, emailTemplates, { markReferenced }, { environmentId, template }, referrer);

/**
 * Records that an open broadcast or automation names a template that is missing or not published: once it is published,
 * it is referenced.
 */
export const markTemplateNamed = (
  { db }: Pick<Context, 'db'>,
  environmentId: string,
  template: string,
  referrer: Referrer,
): Promise<void> => markNamed(db, { markReferenced }, { environmentId, template }, referrer);
