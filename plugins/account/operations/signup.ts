import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { accountOpener, keyIssuer } from '#core/kernel/ports.js';
import { email, list, nullable, object, optional, text } from '#core/kernel/schema/schema.js';
import { exampleAccount, exampleEnvironments, exampleProject } from '../examples.js';
import { Account, country, Environment, heardFrom, Project } from '../resources.js';
import { checkedCountry } from '../accounts/country.js';
import { showOpened } from '../accounts/present-opened.js';

export default defineOperation({
  name: 'account.signup',
  summary: 'Open an account with its owner, a first project and that project’s live and test environments.',
  description:
    'The owner’s address is unproven until they sign in to the dashboard, so only test keys are returned, once.',
  access: 'public',
  // A repeat answers email_taken: an answer that shows keys to whoever knows a client's address is not kept.
  showsSecret: 'never stored',
  accountWide: true,
  limits: [perIp({ name: 'account.signup', max: 30, windowSeconds: 3_600, words: '30 per hour per IP' })],
  input: object({
    name: text('The account’s name.', { minLength: 1, maxLength: 120 }),
    email: email('The owner’s address.'),
    projectName: optional(
      text('The first project’s name; the account’s where nothing is said.', { minLength: 1, maxLength: 120 }),
    ),
    country: optional(nullable(country)),
    heardFrom: optional(heardFrom),
    heardFromDetail: optional(text(undefined, { maxLength: 500 })),
  }),
  output: object({
    account: Account,
    project: Project,
    environments: list(Environment),
    keys: object({ secret: text(), publishable: text() }, { description: 'Of the test environment; shown once.' }),
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

  async handle(input, { db, use, deployment, fail, audit, actIn }) {
    if (deployment.settings.signup !== 'open') throw fail.signup_disabled();
    const { name, email: address, projectName, heardFrom: source, heardFromDetail } = input;
    const opened = await use(accountOpener).open({
      name,
      email: address,
      projectName: projectName ?? name,
      country: checkedCountry(input.country ?? null),
      heardFrom: source ?? null,
      heardFromDetail: heardFromDetail ?? null,
      proven: false,
      operator: false,
    });
    const { accountId, test } = opened;
    actIn(test);
    const keys = await use(keyIssuer).issueFirst({
      environment: test,
      permissions: permissionsOf(deployment.products),
      role: 'owner',
      // Keys belong to the account: they outlive the owner who opened it.
      memberId: null,
    });
    audit({ subject: { type: 'account', id: accountId }, summary: `Opened the account “${name}”.` });
    return { ...(await showOpened(db, opened)), keys };
  },
});
