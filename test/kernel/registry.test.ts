import { expect } from 'chai';
import { EntitySchema } from 'typeorm';
import type { FullContext } from '#core/kernel/context.js';
import { inEachLanguage } from '#core/kernel/language.js';
import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { definePlugin, type Plugin } from '#core/kernel/plugin.js';
import { definePort, type Port } from '#core/kernel/port.js';
import { need, provide } from '#core/kernel/provision.js';
import { createRegistry, RegistryError, type Registry } from '#core/kernel/registry/registry.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import type { SystemTemplate } from '#core/messaging/system-template.js';
import { idColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';

const operation = (name: string, facts: Partial<Operation> = {}): Operation => ({
  ...defineOperation({
    name,
    summary: 'Be there.',
    access: 'secret',
    input: object({}),
    output: object({ done: boolean() }),
    example: { input: {}, output: { done: true } },
    handle: async () => ({ done: true }),
  }),
  ...facts,
});
const event = { summary: 'It happened.', subject: 'thing', data: object({}) };
const error = { status: 409, message: 'No.', fix: 'Do not.' };
const plugin = (name: string, facts: Partial<Plugin> = {}): Plugin =>
  definePlugin({ name, summary: `The ${name}.`, tables: [], operations: [], events: {}, errors: {}, ...facts });
const template = (name: string): SystemTemplate => ({
  name,
  channel: 'email',
  description: 'A code.',
  budget: 'signin',
  variables: ['code'],
  requiredVariables: ['code'],
  locales: inEachLanguage(() => ({ subject: '{{ code }}', heading: 'Code', body: '{{ code }}', footer: '' })),
});
const ofAccounts = defineTable('a_row', { id: idColumn(), accountId: uuidColumn() });
const port = (name: string): Port<string> => definePort<string>(name);
const provides = (name: string): Partial<Plugin> => ({ provides: [provide(port(name), () => 'provided')] });
const needs = (...names: string[]): Partial<Plugin> => ({ needs: names.map((name) => need(port(name))) });

/** These providers ask nothing of their context. */
function noContext(): FullContext;
function noContext(): unknown {
  return {};
}

function refusal(plugins: readonly Plugin[], enabled: readonly string[] = []): string {
  try {
    createRegistry(plugins, enabled);
  } catch (thrown) {
    if (thrown instanceof RegistryError) return thrown.message;
    throw thrown;
  }
  return '';
}

const onePerIp = { name: 'a.thing', max: 1, windowSeconds: 1, description: '1 per IP' };
const limited = (limit: Parameters<typeof perIp>[0]): Plugin[] => [
  plugin('a', { operations: [operation('a.thing', { limits: [perIp(limit)] })] }),
];

describe('The registry', () => {
  it('boots on every plugin in the repository, alone and together', async () => {
    const all = await findPlugins();
    expect(createRegistry(all, []).operations.size).to.be.greaterThan(5);
    for (const { name } of all) expect(createRegistry(all, [name]).products.has(name)).to.equal(true);
  });

  for (const [what, plugins, says] of [
    ['two plugins of one name', [plugin('a'), plugin('a')], 'Two plugins claim the product name a.'],
    [
      'two operations of one name',
      [plugin('a', { operations: [operation('a.b.c'), operation('a.b.c')] })],
      'The plugin a declares the operation a.b.c twice.',
    ],
    [
      'two events of one name',
      [plugin('a', { events: { 'a.done': event } }), plugin('b', { events: { 'a.done': event } })],
      'Two plugins claim the event a.done: a and b.',
    ],
    [
      'two codes of one name',
      [plugin('a', { errors: { no_way: error } }), plugin('b', { errors: { no_way: { ...error } } })],
      'Two plugins claim the error code no_way: a and b.',
    ],
    [
      'a code that the kernel has',
      [plugin('a', { errors: { not_found: error } })],
      'Two plugins claim the error code not_found: the kernel and a.',
    ],
    [
      'two tables of one name',
      [1, 2].map((n) => plugin(`a${n}`, { tables: [new EntitySchema({ name: 'a_thing', columns: {} })] })),
      'Two plugins claim the table a_thing: a1 and a2.',
    ],
    [
      'an event of another product’s name',
      [plugin('a', { events: { 'b.done': event } })],
      'The event b.done belongs to the plugin a, so its name must begin with a.',
    ],
    [
      'a table of another product’s name',
      [plugin('a', { tables: [new EntitySchema({ name: 'ab_thing', columns: {} })] })],
      'The table ab_thing belongs to the plugin a, so its name must begin with a_.',
    ],
    [
      'two pages at one address',
      [1, 2].map((n) =>
        plugin(`a${n}`, { pages: [{ path: '/p', methods: ['GET'], answer: async () => ({ status: 200, body: '' }) }] }),
      ),
      'Two plugins claim the address /p: a1 and a2.',
    ],
    [
      'a page and a resource of one shape',
      [
        plugin('a', {
          pages: [{ path: '/p/{one}', methods: ['GET'], answer: async () => ({ status: 200, body: '' }) }],
        }),
        plugin('b', {
          resources: [{ path: '/p/{other}', answer: async () => ({ body: '', type: 'text/plain', cacheSeconds: 0 }) }],
        }),
      ],
      'Two plugins claim the address /p/{}: a and b.',
    ],
    [
      'a callback at an operation’s address',
      [
        plugin('a', { operations: [operation('a.thing')] }),
        plugin('b', { callbacks: [{ path: '/v1/a/thing', answer: async () => ({ status: 200 }) }] }),
      ],
      'Two plugins claim the address /v1/a/thing: a and b.',
    ],
    [
      'a page at an address of the server',
      [
        plugin('a', {
          pages: [{ path: '/healthz', methods: ['GET'], answer: async () => ({ status: 200, body: '' }) }],
        }),
      ],
      'The address /healthz of the plugin a is answered by the server itself.',
    ],
    [
      'a page below the reference',
      [
        plugin('a', {
          pages: [{ path: '/docs/reference/a', methods: ['GET'], answer: async () => ({ status: 200, body: '' }) }],
        }),
      ],
      'The address /docs/reference/a of the plugin a is answered by the server itself.',
    ],
    [
      'a page of the console',
      [
        plugin('a', {
          pages: [{ path: '/console/a', methods: ['GET'], answer: async () => ({ status: 200, body: '' }) }],
        }),
      ],
      'The address /console/a of the plugin a is answered by the server itself.',
    ],
    [
      'a product with the name of a surface',
      [plugin('console', {})],
      'The product name console is reserved: /console is a page of the server.',
    ],
    [
      'a product with the name of a page of the reference',
      [plugin('events', {})],
      'The product name events is reserved: /docs/reference/events is a page of the server.',
    ],
    [
      'a parameter that is a part of a segment',
      [
        plugin('a', {
          pages: [{ path: '/p/x-{id}', methods: ['GET'], answer: async () => ({ status: 200, body: '' }) }],
        }),
      ],
      'The address /p/x-{id} of the plugin a may hold letters',
    ],
    [
      'two system templates of one name and channel',
      [plugin('a', { systemTemplates: [template('a.code'), template('a.code')] })],
      'The plugin a declares the system template a.code (email) twice.',
    ],
    [
      'a system template of another product’s name',
      [plugin('a', { systemTemplates: [template('b.code')] })],
      'The system template b.code belongs to the plugin a, so its name must begin with a.',
    ],
    [
      'a system template that requires a variable it is not given',
      [plugin('a', { systemTemplates: [{ ...template('a.code'), variables: [] }] })],
      'The system template a.code requires the variable code, which its variables do not list.',
    ],
    [
      'two providers of one port',
      [plugin('a', provides('a.mail')), plugin('b', provides('a.mail'))],
      'Two plugins claim the port a.mail: a and b.',
    ],
    [
      'an operation in another product’s plugin',
      [plugin('a', { operations: [operation('b.thing')] })],
      'The operation b.thing is declared by the plugin a, but its name begins with b.',
    ],
    [
      'an operation without a summary',
      [plugin('a', { operations: [operation('a.thing', { summary: ' ' })] })],
      'The operation a.thing has no summary.',
    ],
    [
      'a field that no plugin has',
      [Object.assign(plugin('a'), { authenticator: 1 })],
      'The plugin a has the unknown field authenticator. Did you mean authenticators?',
    ],
    [
      'a write in a product of accounts that does not say whether it is account-wide',
      [plugin('a', { tables: [ofAccounts], operations: [operation('a.thing')] })],
      'The operation a.thing writes in a product that keeps rows of accounts, so it must say whether it is accountWide, true or false.',
    ],
    [
      'a reason for test keys at a write that would not refuse them',
      [plugin('a', { operations: [operation('a.thing', { openToTestKeys: 'It is harmless.' })] })],
      'The operation a.thing may give a reason for openToTestKeys only if it is an account-wide write that would refuse them.',
    ],
    [
      'an exemption for test keys without a reason',
      [plugin('a', { operations: [operation('a.thing', { accountWide: true, openToTestKeys: ' ' })] })],
      'The operation a.thing may give a reason for openToTestKeys only if it is an account-wide write that would refuse them.',
    ],
    [
      'a publishable operation for live environments only',
      [plugin('a', { operations: [operation('a.thing', { access: 'publishable', liveOnly: true })] })],
      'The operation a.thing is liveOnly, which is for operations with secret access.',
    ],
    [
      'a publishable operation for owners only',
      [plugin('a', { operations: [operation('a.thing', { access: 'publishable', ownerOnly: true })] })],
      'The operation a.thing is ownerOnly, which is for operations with secret access.',
    ],
    [
      'an operation for users that takes no accessToken',
      [plugin('a', { operations: [operation('a.thing', { access: 'user' })] })],
      'The operation a.thing has user access and takes no accessToken.',
    ],
    [
      'gates on an operation that has no user',
      [plugin('a', { operations: [operation('a.thing', { needs: { recentSignIn: true } })] })],
      'The operation a.thing needs something of the user’s session, but takes no accessToken.',
    ],
    [
      'a public operation that finishes after its COMMIT',
      [plugin('a', { operations: [operation('a.thing', { access: 'public', finish: async (reply) => reply })] })],
      'The operation a.thing is public, so it cannot have a finish.',
    ],
    [
      'a limit without a description',
      limited({ ...onePerIp, description: '' }),
      'The operation a.thing has the limit a.thing without a description.',
    ],
    [
      'a read with a limit that counts only accepted calls',
      [
        plugin('a', {
          operations: [
            operation('a.thing', {
              impact: { read: true, destructive: false, retrySafe: true, billable: false },
              limits: [perIp({ ...onePerIp, acceptedOnly: true })],
            }),
          ],
        }),
      ],
      'The operation a.thing is a read, so it cannot have a limit that counts only accepted calls.',
    ],
    [
      'a limit of refusals that the operation does not list',
      limited({ ...onePerIp, refusedWith: ['last_key'] }),
      'The operation a.thing has the limit a.thing of refusals with last_key, which it does not list.',
    ],
    [
      'an error that no plugin declares',
      [plugin('a', { operations: [operation('a.thing', { errors: ['last_key'] })] })],
      'The operation a.thing lists the error last_key, which no plugin declares.',
    ],
    [
      'an event that no plugin declares',
      [plugin('a', { operations: [operation('a.thing', { events: ['account.created'] })] })],
      'The operation a.thing lists the event account.created, which no plugin declares.',
    ],
    [
      'a need that nobody meets',
      [plugin('a', needs('b.mail'))],
      'The product a needs b.mail, which no enabled product provides.',
    ],
    [
      'a circle of needs',
      [
        plugin('a', { ...provides('a.x'), ...needs('b.x') }),
        plugin('b', { ...provides('b.x'), ...needs('c.x') }),
        plugin('c', { ...provides('c.x'), ...needs('a.x') }),
      ],
      'The needs of b form a cycle.',
    ],
  ] as const) {
    it(`does not boot on ${what}`, () => {
      expect(refusal(plugins)).to.contain(says);
    });
  }

  it('boots on two plugins that share the declaration of a code', () => {
    expect(refusal([plugin('a', { errors: { no_way: error } }), plugin('b', { errors: { no_way: error } })])).to.equal(
      '',
    );
  });

  it('does not boot on an unknown product name, and names those there are', () => {
    expect(refusal([plugin('email'), plugin('sms')], ['emial'])).to.equal(
      'SVC_PRODUCTS names "emial", which is not a product of this server. The products are: email, sms.',
    );
  });

  it('states all its problems at once', () => {
    const two = plugin('a', {
      operations: [operation('a.thing', { summary: '', errors: ['last_key'] })],
      ...needs('b.x'),
    });
    expect(refusal([two]).split('\n')).to.have.length(3);
  });

  it('takes a stand-in for a need that no enabled product meets, and the product where it is on', () => {
    const standing = need(port('b.mail'), () => 'stood in');
    const known = [plugin('a', { needs: [standing] }), plugin('b', provides('b.mail'))];
    const made = (enabled: string[]): string => createRegistry(known, enabled).provided(port('b.mail'), 'a', noContext);
    expect(made(['a'])).to.equal('stood in');
    expect(made(['a', 'b'])).to.equal('provided');
  });

  it('lets no product use a port that it does not name', () => {
    const registry = createRegistry([plugin('a'), plugin('b', provides('b.mail'))], []);
    const use = (owner: string): unknown => registry.provided(port('b.mail'), owner, noContext);
    expect(() => use('a')).to.throw('The product a uses b.mail without naming it in its needs.');
    expect(use('b')).to.equal('provided');
  });

  it('has the events whose other products are on, and the errors that an operation there can answer', () => {
    const known = [
      plugin('a', {
        operations: [
          operation('a.go', { errors: ['draft_missing', 'topic_archived'] }),
          operation('a.mail', { requires: 'b', errors: ['draft_missing', 'url_not_allowed'] }),
        ],
        events: { 'a.gone': event, 'a.mailed': { ...event, requires: ['b'] } },
      }),
      plugin('b', { errors: { topic_archived: error } }),
    ];
    const of = (enabled: string[]): Registry => createRegistry(known, enabled);
    expect([...of(['a']).events.keys()]).to.deep.equal(['a.gone']);
    expect([...of(['a', 'b']).events.keys()]).to.deep.equal(['a.gone', 'a.mailed']);
    const { enabledErrors, operations } = of(['a']);
    expect(operations.get('a.go')?.errors).to.deep.equal(['draft_missing']);
    expect(enabledErrors).to.include.keys('draft_missing');
    expect(enabledErrors).to.not.have.any.keys('url_not_allowed', 'topic_archived');
    expect(of(['a', 'b']).operations.get('a.go')?.errors).to.deep.equal(['draft_missing', 'topic_archived']);
    expect(of(['a', 'b']).enabledErrors).to.include.keys('draft_missing', 'url_not_allowed', 'topic_archived');
  });

  it('has what is enabled alone: products that are always on, and operations whose other product is on', () => {
    const known = [
      plugin('core', { alwaysOn: true, operations: [operation('core.go')] }),
      plugin('a', {
        operations: [operation('a.go'), operation('a.mail', { requires: 'b' })],
        events: { 'a.gone': event },
        systemTemplates: [template('a.code')],
      }),
      plugin('b', { operations: [operation('b.go', { events: [] })], errors: { b_error: error } }),
    ];
    const names = (enabled: string[]): string[] => [...createRegistry(known, enabled).operations.keys()];
    expect(names([])).to.deep.equal(['core.go', 'a.go', 'a.mail', 'b.go']);
    expect(names(['a'])).to.deep.equal(['core.go', 'a.go']);
    expect(names(['b'])).to.deep.equal(['core.go', 'b.go']);
    const registry = createRegistry(known, ['b']);
    expect(registry.events.has('a.gone')).to.equal(false);
    expect(registry.systemTemplates).to.deep.equal([]);
    expect(createRegistry(known, ['a']).systemTemplates.map(({ name }) => name)).to.deep.equal(['a.code']);
    expect(createRegistry(known, ['a']).enabledErrors).to.not.have.property('b_error');
    expect(registry.enabledErrors).to.have.property('b_error');
    for (const [path, code] of [
      ['/a/go', 'product_disabled'],
      ['/core/stop', 'unknown_operation'],
    ] as const) {
      expect(() => registry.at(path))
        .to.throw()
        .with.property('code', code);
    }
  });
});
