import { roles } from '#core/kernel/caller/caller.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, integer, list, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { presentKey, exampleKey, Key } from '../../keys/resources.js';
import { keys } from '../../tables/key.js';
import { directory, Environment, Member } from '#plugins/account/ports.js';
import { keyLimitStatus } from '#core/kernel/ports.js';

const idAndName = (description: string) => object({ id: uuid('Its id.'), name: text('Its name.') }, { description });

export default defineOperation({
  name: 'developers.key.current',
  summary:
    'Returns the key or dashboard session making this call, with its account, project, environment, permissions and remaining requests this minute. Requires no permission.',
  keywords: 'who am i which account quota',
  access: 'secret',
  permission: null,
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    key: nullable(Key),
    member: nullable(Member),
    account: idAndName('The account that the caller acts in.'),
    project: idAndName('The project that the caller acts in.'),
    environment: Environment,
    role: oneOf(roles, 'The role of the key or member. Some operations are only for owners.'),
    permissions: list(text(), 'The caller’s permissions: the key’s permissions, limited by its role.'),
    rateLimit: object(
      {
        limit: integer('Requests allowed per minute.'),
        remaining: integer('Requests remaining this minute.'),
        resetsAt: dateTime('When all requests are available again.'),
      },
      { description: 'The rate limit of the key.' },
    ),
  }),
  example: {
    input: {},
    output: {
      key: exampleKey,
      member: null,
      account: { id: '01890a5d-ac96-774b-bcce-b302099a8100', name: 'Acme' },
      project: { id: '01890a5d-ac96-774b-bcce-b302099a8101', name: 'Shop' },
      environment: {
        id: '01890a5d-ac96-774b-bcce-b302099a8001',
        projectId: '01890a5d-ac96-774b-bcce-b302099a8101',
        kind: 'test',
        createdAt: '2026-11-20T09:30:00.000Z',
      },
      role: 'developer',
      permissions: ['account:read', 'developers:read'],
      rateLimit: { limit: 600, remaining: 599, resetsAt: '2026-11-20T09:31:00.000Z' },
    },
  },

  async handle(_, { db, caller, use }) {
    const who = use(directory);
    const row = caller.kind === 'key' ? await db.findOne(keys, { id: caller.id }) : null;
    const { account, project, environment } = await who.describe(caller.environment);
    const { limit, remaining, resetsAt } = await use(keyLimitStatus).of(caller.lineage);
    return {
      key: row && presentKey(row),
      member: caller.kind === 'member' ? await who.member(caller.environment.accountId, caller.id) : null,
      account,
      project,
      environment,
      role: caller.role,
      permissions: [...caller.permissions].sort(),
      rateLimit: { limit, remaining, resetsAt: resetsAt.toISOString() },
    };
  },
});
