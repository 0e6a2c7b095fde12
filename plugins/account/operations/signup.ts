import { newFields } from '#core/kernel/audit/changes.js';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { environmentsOf } from '#core/kernel/environment/environment.js';
import { keyIssuer, type OpenedAccount } from '#core/kernel/ports.js';
import { email, filledText, list, nullable, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import {
  presentAccount,
  Account,
  country as countryField,
  exampleAccount,
  heardFrom,
  heardFromDetail,
} from '../accounts/resources.js';
import {
  presentEnvironment,
  presentProject,
  Environment,
  exampleEnvironments,
  exampleProject,
  Project,
} from '../projects/resources.js';
import { accounts } from '../tables/account.js';
import { projects } from '../tables/project.js';
import { validateCountry } from '#core/kernel/schema/country.js';
import { openAccount } from '../accounts/open-account.js';

export default defineOperation({
  name: 'account.signup',
  summary: 'Creates an account with its owner, a first project, and that project’s live and test environments.',
  description:
    'Returns only keys of the test environment, because the owner’s address is unverified until they sign in to the dashboard.',
  access: 'public',
  showsSecret: 'sealed by Idempotency-Key',
  accountWide: true,
  limits: [perIp({ name: 'account.signup', max: 30, windowSeconds: 3_600, description: '30 per hour per IP address' })],
  input: object({
    name: filledText('The account’s name, without web addresses.', 120),
    email: email('The owner’s address.'),
    projectName: optional(filledText('The first project’s name; defaults to the account’s name.', 120)),
    country: optional(nullable(countryField)),
    heardFrom: optional(heardFrom),
    heardFromDetail: optional(heardFromDetail),
  }),
  output: object({
    account: Account,
    project: Project,
    environments: list(Environment),
    keys: object(
      { secret: text('For servers.'), publishable: text('For browsers and apps.') },
      { description: 'The keys of the test environment, shown once.' },
    ),
  }),
  errors: ['email_taken', 'signup_disabled'],
  events: ['account.created'],
  example: {
    input: { name: 'Acme', email: 'owner@example.com', projectName: 'Shop' },
    output: {
      account: exampleAccount,
      project: exampleProject,
      environments: exampleEnvironments,
      keys: {
        secret: 'svc_test_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy',
        publishable: 'svc_test_pk7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy9fK',
      },
    },
  },

  async handle(input, context) {
    const { db, use, deployment, fail, audit, actIn } = context;
    if (deployment.settings.signup !== 'open') throw fail.signup_disabled();
    const { name, email: address, projectName, heardFrom: source, heardFromDetail: detail } = input;
    plainName('name', name);
    if (projectName !== undefined) plainName('projectName', projectName);
    const country = validateCountry(input.country ?? null);
    const account = { name, email: address, projectName: projectName ?? name, country, proven: false, operator: false };
    const opened = await openAccount(context, account, { heardFrom: source ?? null, heardFromDetail: detail ?? null });
    const { accountId, test } = opened;
    actIn(test);
    const keys = await use(keyIssuer).issueFirst({
      environment: test,
      permissions: permissionsOf(deployment.products),
      role: 'owner',
      // Keys belong to the account: they outlive the membership of the owner who opened it.
      memberId: null,
    });
    const presented = await presentOpened(db, opened);
    audit({
      subject: { type: 'account', id: accountId },
      summary: `Opened the account “${name}”.`,
      changes: newFields(presented.account, ['name', 'country', 'heardFrom', 'heardFromDetail']),
    });
    return { ...presented, keys };
  },
});

async function presentOpened(
  db: Session,
  { accountId, projectId }: OpenedAccount,
): Promise<{
  account: ValueOf<typeof Account>;
  project: ValueOf<typeof Project>;
  environments: ValueOf<typeof Environment>[];
}> {
  const account = await db.findOne(accounts, { id: accountId });
  const project = await db.findOne(projects, { id: projectId });
  if (!account || !project) throw new Error(`The account ${accountId} is missing right after it was opened.`);
  const environments = await environmentsOf(db, [projectId]);
  return {
    account: presentAccount(account),
    project: presentProject(project),
    environments: environments.map(presentEnvironment),
  };
}
