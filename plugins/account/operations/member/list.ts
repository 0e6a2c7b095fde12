import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { idBytes } from '#core/runtime/id.js';
import { members } from '../../tables/member.js';
import { presentMember, exampleMember, Member, memberStatus } from '../../members/resources.js';

export default defineOperation({
  name: 'account.member.list',
  summary: 'Lists the account’s members, newest first. Removed members are included only if requested.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  accountWide: true,
  input: object({ ...page, status: optional(memberStatus) }),
  output: object({ members: list(Member), nextBefore }),
  example: { input: { status: 'invited' }, output: { members: [exampleMember], nextBefore: null } },

  async handle({ before, limit, status }, { db, caller }) {
    const wanted = status ? [status] : ['invited', 'active'];
    const query = db
      .select(members, 'member')
      .where('member.account_id = :account', { account: idBytes(caller.environment.accountId) })
      .andWhere('member.status IN (:...wanted)', { wanted: wanted.map((each) => Buffer.from(each)) });
    const { rows, next } = await paged(query, 'member', 'account', { before, limit });
    return { members: rows.map(presentMember), nextBefore: next };
  },
});
