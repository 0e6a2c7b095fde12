import type { ReadContext } from '#core/kernel/context.js';
import { findPublishedTemplate, type PublishedTemplate } from '#core/messaging/templates/published.js';
import { templateTables } from '../tables/template.js';

export type BroadcastTemplate = PublishedTemplate;

/** The published version of a template; null when there is none. */
export const findTemplate = (
  { db }: Pick<ReadContext, 'db'>,
  environmentId: string,
  name: string,
): Promise<BroadcastTemplate | null> => findPublishedTemplate(db, templateTables, environmentId, name);
