import { environmentsOf } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { Directory } from '../ports.js';
import { accounts } from '../tables/account.js';
import { members } from '../tables/member.js';
import { projects, type ProjectRow } from '../tables/project.js';
import { presentMember } from '../members/resources.js';
import { presentEnvironment } from '../projects/resources.js';
import { nameForUsers, publishedTheme } from '../themes/load.js';

/** Slugs by project id, cached because every message needs one. A slug never changes. */
const slugs = new Map<string, string>();
const maxSlugs = 10_000;

/** What other products may read about accounts, projects, members and themes. */
export function makeDirectory({ db, deployment }: Context): Directory {
  const context = { db, deployment };
  const projectOf = async (id: string): Promise<ProjectRow> => {
    const project = await db.findOne(projects, { id });
    if (!project) throw new Error(`The project ${id} of an environment does not exist.`);
    return project;
  };
  return {
    async describe(environment) {
      const [account, project, rows] = [
        await db.findOne(accounts, { id: environment.accountId }),
        await projectOf(environment.projectId),
        await environmentsOf(db, [environment.projectId]),
      ];
      const row = rows.find((each) => each.id === environment.id);
      if (!account || !row) throw new Error(`The account of environment ${environment.id} does not exist.`);
      return {
        account: { id: account.id, name: account.name },
        project: { id: project.id, name: project.name },
        environment: presentEnvironment(row),
      };
    },
    async member(accountId, memberId) {
      const row = await db.findOne(members, { id: memberId, accountId });
      return row && presentMember(row);
    },
    async provenAddresses(accountId) {
      const rows = await db.find(members, { accountId, status: 'active' });
      return rows.filter((row) => row.provenAt !== null).map((row) => row.emailKey);
    },
    async ownerAddresses(accountId) {
      const rows = await db.find(members, { accountId, status: 'active', role: 'owner' });
      return rows.filter((row) => row.provenAt !== null).map((row) => row.email);
    },
    async projects(accountId) {
      const rows = await db.find(projects, { accountId });
      return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, name }) => ({ id, name }));
    },
    async slug(projectId) {
      const cached = slugs.get(projectId);
      if (cached !== undefined) return cached;
      const { slug } = await projectOf(projectId);
      if (slugs.size >= maxSlugs) slugs.clear();
      slugs.set(projectId, slug);
      return slug;
    },
    async environmentsOfSlug(slug) {
      const project = await db.findOne(projects, { slug });
      const rows = project ? await environmentsOf(db, [project.id]) : [];
      const [live, test] = (['live', 'test'] as const).map((kind) => rows.find((row) => row.kind === kind));
      return live && test ? { live, test } : null;
    },
    async locale(projectId) {
      return (await projectOf(projectId)).locale;
    },
    async timeZone(projectId) {
      return (await projectOf(projectId)).timeZone;
    },
    nameForUsers: (environment) => nameForUsers(context, environment),
    theme: (environment) => publishedTheme(context, environment),
  };
}
