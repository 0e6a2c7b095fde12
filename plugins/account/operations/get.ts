import { defineOperation } from '#core/kernel/operation.js';
import { integer, list, object } from '#core/kernel/schema/schema.js';
import { accounts } from '../tables/account.js';
import { members } from '../tables/member.js';
import { projects } from '../tables/project.js';
import { presentAccount, Account, exampleAccount } from '../accounts/resources.js';
import { isListed } from '../projects/insert-project.js';
import { presentProject, exampleProject, Project } from '../projects/resources.js';

export default defineOperation({
  name: 'account.get',
  summary: 'Returns the caller’s account, its projects and its number of members.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({ account: Account, projects: list(Project), memberCount: integer('Active members.') }),
  example: { input: {}, output: { account: exampleAccount, projects: [exampleProject], memberCount: 3 } },

  async handle(_, { db, caller, fail }) {
    const { accountId } = caller.environment;
    // Reads that are requested together share a round trip.
    const [account, all, memberCount] = await Promise.all([
      db.findOne(accounts, { id: accountId }),
      db.find(projects, { accountId }),
      db.count(members, { accountId, status: 'active' }),
    ]);
    if (!account) throw fail.not_found({ thing: 'account', lookup: 'developers.key.current' });
    return { account: presentAccount(account), projects: all.filter(isListed).map(presentProject), memberCount };
  },
});
