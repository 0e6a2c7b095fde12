import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { timeZoneProblem } from '#core/kernel/schema/time-zone.js';
import { nameKey } from '#core/kernel/schema/name-key.js';
import { boolean, filledText, ifUnchangedSince, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { lockAccount } from '../../tables/account.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { presentAccount } from '../../accounts/resources.js';
import { projects } from '../../tables/project.js';
import { archive, unarchive } from '../../projects/archive.js';
import { isListed } from '../../projects/insert-project.js';
import { presentProject, exampleProject, Project } from '../../projects/resources.js';

export default defineOperation({
  name: 'account.project.update',
  summary: 'Updates a project’s name, default locale and time zone, and archives or unarchives it.',
  description:
    'The project’s own sending domain does not change. The keys of an archived project are refused with project_archived, it sends nothing, and it does not count towards the limit: an account has at most 100 projects that are not archived. Release its numbers, cancel its broadcasts and pause its automations first. Nothing is deleted, and its name stays taken.',
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
      archived: optional(boolean('True archives the project, false unarchives it.')),
      ifUnchangedSince,
    },
    { minProperties: 2 },
  ),
  output: object({ project: Project }),
  errors: ['name_taken', 'project_in_use', 'limit_reached'],
  events: ['account.updated'],
  example: {
    input: { projectId: exampleProject.id, locale: 'de', timeZone: 'Europe/Berlin' },
    output: { project: { ...exampleProject, locale: 'de', timeZone: 'Europe/Berlin' } },
  },

  async handle({ projectId, ...wanted }, context) {
    const { db, caller, clock, fail, audit, emit } = context;
    const refused = (field: string, problem: string): Error => fail.invalid_input({ field, problem });
    const locale = wanted.locale === undefined ? undefined : canonicalLocale(wanted.locale);
    if (locale === null) throw refused('locale', 'must be a BCP 47 language tag such as de or pt-BR');
    const zoneProblem = wanted.timeZone === undefined ? undefined : timeZoneProblem(wanted.timeZone);
    if (zoneProblem !== undefined) throw refused('timeZone', zoneProblem);
    const account = await lockAccount(db, caller);
    const before = await findOwned(db, projects, caller, projectId);
    if (!isListed(before)) throw fail.not_found({ ...projects.notFound });
    const changedAt = { updatedAt: before.updatedAt ?? before.createdAt };
    await requireUnchanged(context, wanted.ifUnchangedSince, changedAt, { type: 'project', id: projectId });
    const name = wanted.name === undefined ? before.name : plainName('name', wanted.name);
    const isArchived = before.archivedAt !== null;
    const turnsTo = wanted.archived === isArchived ? undefined : wanted.archived;
    if (turnsTo === false) await unarchive(context, account, before);
    const archivedAt = turnsTo === true ? await archive(context, caller, before) : null;
    const after = {
      ...before,
      archivedAt: turnsTo === undefined ? before.archivedAt : archivedAt,
      name,
      nameKey: nameKey(name),
      locale: locale ?? before.locale,
      timeZone: wanted.timeZone ?? before.timeZone,
      updatedAt: updateTime(changedAt, clock.now()),
    };
    const changes = changesBetween(before, after, ['name', 'locale', 'timeZone', 'archivedAt']);
    const verb = turnsTo === undefined ? 'Changed' : turnsTo ? 'Archived' : 'Unarchived';
    audit({
      subject: { type: 'project', id: projectId },
      summary: `${verb} the project “${name}”.`,
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
    const project = presentProject(after);
    if (turnsTo !== undefined)
      emit('account.updated', { subjectId: account.id, data: { account: presentAccount(account), project } });
    return { project };
  },
});
