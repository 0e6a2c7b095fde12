import { defineOperation } from '#core/kernel/operation.js';
import { integer, list, object } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleAccount, exampleProject } from '../examples.js';
import { Account, Project } from '../resources.js';
import { presentAccount, presentProject } from '../accounts/present.js';
import { accounts } from '../tables/account.js';
import { projects } from '../tables/project.js';

export default defineOperation({
  name: 'account.get',
  summary: 'Show the account behind the key, its projects and how many members it has.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({ account: Account, projects: list(Project), memberCount: integer('Active members.') }),
  example: { input: {}, output: { account: exampleAccount, projects: [exampleProject], memberCount: 3 } },

  async handle(_, { db, caller, fail }) {
    const { accountId } = caller.environment;
    const account = await db.findOne(accounts, { id: accountId });
    if (!account) throw fail.not_found({ thing: 'account', lookup: 'developers.key.current' });
    const all = await db.find(projects, { accountId });
    const [{ active } = { active: 0 }] = await db.prepared<{ active: number }>(
      "SELECT COUNT(*) AS active FROM account_member WHERE account_id = ? AND status = 'active'",
      [idBytes(accountId)],
    );
    return { account: presentAccount(account), projects: all.map(presentProject), memberCount: active };
  },
});
