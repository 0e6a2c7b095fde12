import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { timeZoneProblem } from '#core/kernel/schema/time-zone.js';
import { nameKey } from '#core/kernel/schema/name-key.js';
import { filledText, ifUnchangedSince, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { lockAccount } from '../../tables/account.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { projects } from '../../tables/project.js';
import { isListed } from '../../projects/insert-project.js';
import { presentProject, exampleProject, Project } from '../../projects/resources.js';

export default defineOperation({
  name: 'account.project.update',
  summary: 'Updates a project’s name, default locale and time zone.',
  description: 'The project’s own sending domain does not change.',
  access: 'secret',
  impact: { retrySafe: true },
  accountWide: true,
  input: object(
    {
      projectId: uuid('The project to change.'),
      name: optional(filledText('Its new name, unique in the account, without web addresses.', 120)),
      locale: optional(text('BCP 47 tag, such as de or pt-BR.', { minLength: 2, maxLength: 35 })),
      timeZone: optional(
        text('IANA name, such as Europe/Berlin.', { pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$', maxLength: 64 }),
      ),
      ifUnchangedSince,
    },
    { minProperties: 2 },
  ),
  output: object({ project: Project }),
  errors: ['name_taken'],
  example: {
    input: { projectId: exampleProject.id, locale: 'de', timeZone: 'Europe/Berlin' },
    output: { project: { ...exampleProject, locale: 'de', timeZone: 'Europe/Berlin' } },
  },

  async handle({ projectId, ...wanted }, context) {
    const { db, caller, clock, fail, audit } = context;
    const refused = (field: string, problem: string): Error => fail.invalid_input({ field, problem });
    const locale = wanted.locale === undefined ? undefined : canonicalLocale(wanted.locale);
    if (locale === null) throw refused('locale', 'must be a BCP 47 language tag such as de or pt-BR');
    const zoneProblem = wanted.timeZone === undefined ? undefined : timeZoneProblem(wanted.timeZone);
    if (zoneProblem !== undefined) throw refused('timeZone', zoneProblem);
    await lockAccount(db, caller);
    const before = await findOwned(db, projects, caller, projectId);
    if (!isListed(before)) throw fail.not_found({ ...projects.notFound });
    const changedAt = { updatedAt: before.updatedAt ?? before.createdAt };
    await requireUnchanged(context, wanted.ifUnchangedSince, changedAt, { type: 'project', id: projectId });
    const name = wanted.name === undefined ? before.name : plainName('name', wanted.name);
    const after = {
      ...before,
      name,
      nameKey: nameKey(name),
      locale: locale ?? before.locale,
      timeZone: wanted.timeZone ?? before.timeZone,
      updatedAt: updateTime(changedAt, clock.now()),
    };
    const changes = changesBetween(before, after, ['name', 'locale', 'timeZone']);
    audit({
      subject: { type: 'project', id: projectId },
      summary: `Changed the project “${name}”.`,
      changes,
      unchanged: `the project “${name}” already had these values.`,
    });
    if (changes.length === 0) return { project: presentProject(before) };
    try {
      await db.update(projects, { id: projectId }, after);
    } catch (error) {
      if (isDuplicate(error, 'account_name')) throw fail.name_taken({ thing: 'project', name });
      throw error;
    }
    return { project: presentProject(after) };
  },
});
