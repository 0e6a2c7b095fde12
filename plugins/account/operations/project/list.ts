import { environmentsOf } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, object, optional } from '#core/kernel/schema/schema.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { idBytes } from '#core/runtime/id.js';
import { projects } from '../../tables/project.js';
import { dashboardSlug } from '../../projects/insert-project.js';
import {
  presentEnvironment,
  presentProject,
  exampleEnvironments,
  exampleProject,
  ProjectWithEnvironments,
} from '../../projects/resources.js';

export default defineOperation({
  name: 'account.project.list',
  summary: 'Lists the account’s projects with their environments, newest first.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  accountWide: true,
  namedItems: { id: 'projectId', names: ['name'] },
  input: object({
    archived: optional(boolean('Only archived projects, or only those that are not; all if left out.')),
    ...page,
  }),
  output: object({ projects: list(ProjectWithEnvironments), nextBefore }),
  example: {
    input: {},
    output: { projects: [{ ...exampleProject, environments: exampleEnvironments }], nextBefore: null },
  },

  async handle({ archived, before, limit }, { db, caller }) {
    const account = idBytes(caller.environment.accountId);
    const query = db
      .select(projects, 'project')
      .where('project.account_id = :account', { account })
      .andWhere('project.slug <> :reserved', { reserved: Buffer.from(dashboardSlug) });
    if (archived !== undefined) query.andWhere(`project.archived_at IS ${archived ? 'NOT ' : ''}NULL`);
    const { rows, next } = await paged(query, 'project', 'account', { before, limit });
    const environments = await environmentsOf(
      db,
      rows.map((row) => row.id),
    );
    const withEnvironments = rows.map((row) => ({
      ...presentProject(row),
      environments: environments.filter((each) => each.projectId === row.id).map(presentEnvironment),
    }));
    return { projects: withEnvironments, nextBefore: next };
  },
});
