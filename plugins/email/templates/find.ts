import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import { findTemplate } from '#core/messaging/templates/find.js';
import { presentTemplate, type TemplateValue } from '#core/messaging/templates/resource.js';
import type { TemplateRow } from '#core/messaging/templates/tables.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { templateTables } from '../tables/template.js';
import { systemTemplate } from './channel.js';

/** The template with a name; null when there is none or it was deleted. */
export async function findLiveTemplate(
  db: Pick<ReadSession, 'prepared'>,
  environmentId: string,
  name: string,
): Promise<TemplateRow | null> {
  const found = await findTemplate(db, templateTables, environmentId, name);
  return found?.deletedAt ? null : found;
}

export const templateNotFound = (): SvcError =>
  refusalOf.not_found({ thing: 'template', lookup: 'email.template.list' });

/** A template as replies and events carry it. */
export const presentEmailTemplate = (
  deployment: Pick<Deployment, 'systemTemplates'>,
  row: TemplateRow,
): TemplateValue => presentTemplate('email', row, systemTemplate(deployment, row.name));
