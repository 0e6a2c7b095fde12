import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { formats } from '#core/kernel/schema/formats.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { pageAlong, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { ChannelTemplates } from './channel.js';
import { presentBuiltIn, presentTemplate, type TemplateValue } from './resource.js';
import { systemTemplatesOf } from '../system-template.js';

interface Reading {
  readonly db: Pick<ReadSession, 'rows'>;
  readonly caller: TenantCaller;
  readonly deployment: Pick<Deployment, 'systemTemplates'>;
}

export interface TemplatePage {
  readonly templates: TemplateValue[];
  readonly nextBefore: string | null;
}

/**
 * A page of the environment's templates, newest first, and after them the system templates that nothing replaces, by
 * name.
 * @param wanted.system true: only system templates; false: only the project's own
 * @throws invalid_input if `before` is not a value that a list returned
 */
export async function listTemplates(
  { db, caller, deployment }: Reading,
  { name: channel, tables: { templates } }: Pick<ChannelTemplates, 'name' | 'tables'>,
  wanted: PageRequest & { system?: boolean | undefined },
): Promise<TemplatePage> {
  const { before, limit } = wanted;
  const onChannel = systemTemplatesOf(deployment).filter((each) => each.channel === channel);
  const system = new Map(onChannel.map((each) => [each.name, each]));
  const names = [...system.keys()].map((each) => Buffer.from(each));
  const isAfterName = before !== undefined && system.has(before);
  if (before !== undefined && !isAfterName && !formats['uuid']?.(before))
    throw invalidField('before', 'must be the nextBefore of an earlier page');
  const environment = idBytes(caller.environment.id);
  const filter = wanted.system === undefined ? '' : `AND name ${wanted.system ? 'IN' : 'NOT IN'} (?)`;
  const range = { from: `${templates.tableName} FORCE INDEX (environment)`, where: 'environment_id = ?' };
  const nameValues = wanted.system === undefined ? [] : [names.length > 0 ? names : [Buffer.from('')]];
  const { rows, next } = isAfterName
    ? { rows: [], next: null }
    : await pageAlong(db, { ...range, parameters: [environment] }, { before, limit }, async (bounds, count) => {
        const found = await db.rows<object>(
          `SELECT ${templates.columnList()} FROM ${range.from}
           WHERE ${range.where} AND deleted_at IS NULL ${filter}${bounds.sql} ORDER BY id DESC LIMIT ?`,
          [environment, ...nameValues, ...bounds.parameters, count],
        );
        return found.map((row) => templates.decode(row));
      });
  const own = rows.map((row) => presentTemplate(channel, row, system.get(row.name)));
  if (next !== null || wanted.system === false) return { templates: own, nextBefore: next };
  const replaced = await db.rows<{ name: Buffer }>(
    `SELECT name FROM ${templates.tableName} WHERE environment_id = ? AND deleted_at IS NULL AND name IN (?)`,
    [environment, names.length > 0 ? names : [Buffer.from('')]],
  );
  const replacedNames = new Set(replaced.map(({ name }) => name.toString()));
  const builtIn = [...system.values()]
    .filter(({ name }) => !replacedNames.has(name) && (!isAfterName || name > before))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const shown = builtIn.slice(0, limit - own.length);
  // The name of the last one shown, or the id of the last row: the built-in ones follow on the next page.
  const last = shown.at(-1)?.name ?? rows.at(-1)?.id ?? null;
  return {
    templates: [...own, ...shown.map(presentBuiltIn)],
    nextBefore: builtIn.length > shown.length ? last : null,
  };
}
