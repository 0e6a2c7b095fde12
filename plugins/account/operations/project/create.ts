import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { createEnvironments } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { filledText, list, nullable, object, text } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { lockAccount } from '../../tables/account.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { hasProvenOwner } from '../../members/rules.js';
import { insertProject } from '../../projects/insert-project.js';
import { maxByTestKeys, maxProjects, requireMayCreate } from '../../projects/limits.js';
import {
  presentEnvironment,
  presentProject,
  Environment,
  exampleEnvironments,
  exampleProject,
  Project,
} from '../../projects/resources.js';

const pair = object(
  { secret: text('Holds the caller’s permissions.'), publishable: text('For browsers and apps.') },
  { description: 'Shown once.' },
);

/** Many people can read a test key: what it creates is counted apart. */
const isTestKey = ({ kind, environment }: TenantCaller): boolean => kind === 'key' && environment.kind === 'test';

/** A test key must not create live keys, which reach real people and are billed. */
const mayCreateLiveKeys = ({ kind, role, environment }: TenantCaller): boolean =>
  environment.kind === 'live' || (kind === 'member' && role === 'owner');

export default defineOperation({
  name: 'account.project.create',
  summary:
    'Creates a project with a live and a test environment, each with a first secret key and a first publishable key.',
  description: `The secret keys hold the caller’s permissions. Live keys are created only if the caller is a live key or an owner’s dashboard session and the owner’s address is proven; otherwise \`keys.live\` is null. An account has at most ${maxProjects} projects that are not archived, of which keys of test environments create at most ${maxByTestKeys}.`,
  keywords: 'new app environment',
  access: 'secret',
  showsSecret: 'stored encrypted',
  accountWide: true,
  openToTestKeys: `It does not affect existing environments, a test key does not get live keys (\`keys.live\` is null), and test keys create at most ${maxByTestKeys} of the account’s projects.`,
  input: object({
    name: filledText('Its name, unique in the account, without web addresses.', 120),
  }),
  output: object({
    project: Project,
    environments: list(Environment),
    keys: object(
      { live: nullable(pair), test: pair },
      { description: 'The first keys of both environments; live is null if the caller may not create live keys.' },
    ),
  }),
  errors: ['name_taken', 'limit_reached', 'permission_exceeds_caller', 'account_closed'],
  example: {
    input: { name: exampleProject.name },
    output: {
      project: exampleProject,
      environments: exampleEnvironments,
      keys: {
        live: null,
        test: {
          secret: 'svc_test_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy',
          publishable: 'svc_test_pk4TzB8sMn1HjRw6KcXe0VqLy5GdUa3PfOi7QtZrN2',
        },
      },
    },
  },

  async handle({ name }, { db, caller: stale, clock, use, fail, audit }) {
    plainName('name', name);
    const { accountId, operator } = stale.environment;
    const account = await lockAccount(db, stale);
    const caller = await use(keyIssuer).reloadCaller(stale, {
      operation: 'account.project.create',
      permission: 'account:write',
    });
    // It creates keys, so it also needs the permission of developers.key.create.
    if (!caller.permissions.has('developers:write'))
      throw fail.permission_exceeds_caller({ permissions: 'developers:write' });
    if (account.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    const byTestKey = isTestKey(caller);
    await requireMayCreate(db, accountId, byTestKey);
    const createdAt = clock.now();
    const fields = { id: newId(), accountId, name, locale: 'en', timeZone: 'UTC', createdAt, byTestKey };
    const row = await insertProject(db, fields);
    if (!row) throw fail.name_taken({ thing: 'project', name });
    const { live, test } = await createEnvironments(db, { id: row.id, accountId, operator }, createdAt);
    const holder = { permissions: [...caller.permissions], role: caller.role, memberId: caller.memberId };
    const withLiveKeys = mayCreateLiveKeys(caller) && (await hasProvenOwner(db, accountId));
    const keys = {
      live: withLiveKeys ? await use(keyIssuer).issueFirst({ ...holder, environment: live }) : null,
      test: await use(keyIssuer).issueFirst({ ...holder, environment: test }),
    };
    audit({
      subject: { type: 'project', id: row.id },
      summary: `Added the project “${name}”.`,
      changes: [{ field: 'name', from: null, to: name }],
    });
    const environments = [live, test].map((each) => presentEnvironment({ ...each, createdAt }));
    return { project: presentProject(row), environments, keys };
  },
});
