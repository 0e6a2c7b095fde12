import { expect } from 'chai';
import { housekeeping } from '#core/platform/housekeeping.js';
import { pathOf, type Operation } from '#core/kernel/operation.js';
import { propertiesOf } from '#core/kernel/schema/schema.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { fillTable, rowId, type Owners } from '#test/support/many-rows.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { enabledProducts } from '#test/support/products.js';
import { needPlainServer } from '#test/support/vitess.js';
import { operations, plugins } from './support/operations.js';
import { makerOf } from './support/things.js';

/** Rows of each table, all of one environment. */
const count = 50_000;
/** Rows that a call may read if an index serves its filter. Reading a table through takes at least `count`. */
const most = 5_000;

/**
 * Lists whose filter, or whose choice of rows, no index serves. A call reads on until it finds a row or the end, and
 * reads each row once in the index and once beside it.
 */
const searches = new Set([
  'account.activity.list by operation',
  'account.activity.list by actorId',
  'account.member.list',
  'account.member.list by status',
  'audience.consent.list by channel',
  'audience.topic.list',
  'audience.topic.list by archived',
  'audience.segment.list',
  'audience.segment.list by suggest',
  'auth.session.list',
  'auth.session.list by live',
  'email.automation.list by status',
  'email.domain.list',
  'email.domain.list by status',
  'email.inbound.list',
  'email.inbound.list by to',
  'email.message.list by status',
  'email.template.list',
  'email.template.list by system',
  'sms.message.list by status',
]);
const mostOf = (title: string): number => {
  if (!searches.has(title)) return most;
  // The address's index is read first, then the messages by their ids.
  return (title === 'email.inbound.list by to' ? 4.2 : 2.2) * count;
};

const addresses = {
  from_address: "'ada@example.com'",
  reply_to: "'[]'",
  to_addresses: "'[]'",
  cc_addresses: "'[]'",
  bcc_addresses: "'[]'",
};

/**
 * The large tables that lists read, with SQL for columns whose values matter. Where a list shows rows without a filter,
 * most tables have rows that it leaves out, so that it looks for more.
 */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  svc_event: { type: "'email.sent'", position: 'n', lane: '1', direct: '0' },
  svc_activity: { operation: "IF(n = 1, 'account.update', 'email.send')", changes: "'[]'", actor_kind: "'key'" },
  account_member: { status: "'removed'", role: "'developer'", email: "'ada@example.com'" },
  audience_consent_record: { channel: "'email'", topic: "'x7'", state: "'granted'", actor_kind: "'key'" },
  audience_segment: { deleted_at: '@at' },
  audience_suppression: { channel: "'sms'", reason: "'stop'" },
  audience_topic: { archived_at: '@at', channels: "'[]'" },
  auth_openid_record: { app_id: "'wiki'", user_id: rowId('n'), expires_at: 'DATE_ADD(@at, INTERVAL 1 DAY)' },
  auth_organization: {},
  auth_user: {},
  auth_session: { ended_at: '@at', user_id: rowId('1'), methods: "'[]'" },
  developers_delivery: { status: "'delivered'", event_type: "'email.sent'", attempt: '1' },
  developers_key: { revoked_at: '@at' },
  email_automation: { status: "'archived'", steps: "'[]'" },
  email_automation_run: { status: "'completed'" },
  email_broadcast: { status: "'draft'" },
  email_domain: { status: "'verified'", removed_at: '@at' },
  email_inbound: { deleted_at: '@at' },
  email_inbound_address: { address_key: "'many@example.com'", role: "'to'" },
  email_message: { status: "'sent'", template: "'t7'", ...addresses },
  email_recipient: { address_key: "'many@example.com'", status: "'sent'" },
  email_tag: { tag: "'many=1'" },
  email_template: { deleted_at: '@at', name: "CONCAT('t', n)" },
  sms_broadcast: { status: "'draft'" },
  sms_inbound: {},
  sms_message: { status: "'sent'", encoding: "'GSM-7'" },
  sms_number: { status: "'released'", capabilities: "'[]'" },
  sms_recipient: { address_key: "'+4915112345678'", status: "'sent'" },
};

/** Values of filters: what nothing or only the rows above have. Ids are of things that exist. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  types: [['account.updated'], ['account.*']],
  since: ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'],
  until: ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'],
  subjectId: ['nothing'],
  operation: ['account.update'],
  actorId: ['nobody'],
  to: ['many@example.com', 'nobody@example.com'],
  from: ['nobody@example.com'],
  email: ['nobody@example.com'],
  phone: ['+4915100000000'],
  template: ['t7', 't8'],
  topic: ['x7', 'x8'],
  country: ['DE'],
  tag: ['many=1', 'other=1'],
  query: ['zzz'],
  suggest: [true],
  definition: [{ field: 'email', op: 'eq', value: 'nobody@example.com' }],
  revoked: [true, false],
  archived: [true, false],
  appId: ['wiki', 'nothing'],
  banned: [true, false],
  live: [true, false],
  system: [true, false],
};
const phones: Readonly<Record<string, readonly unknown[]>> = {
  to: ['+4915112345678', '+4915100000000'],
  from: ['+4915100000000'],
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const lists = operations.filter(({ name, access }) => name.endsWith('.list') && access === 'secret');
const filtersOf = (operation: Operation): string[] =>
  Object.keys(propertiesOf(operation.input)).filter((name) => !['before', 'limit'].includes(name));

describe('A page of a list reads few rows, however many there are', function () {
  needPlainServer('counters of the server');
  this.timeout(600_000);
  const platform = usePlatform({ settings: () => ({ SVC_ROLE: 'api', SVC_DATABASE_POOL: '8' }) });
  const made: { account?: TestAccount } = {};
  const account = (): TestAccount => {
    if (!made.account) throw new Error('There is no account yet.');
    return made.account;
  };
  const readRows = async (): Promise<number> =>
    (
      await platform.running.services.database.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Handler_read%'")
    ).reduce((sum, { Value }) => sum + Number(Value), 0);

  before(async () => {
    made.account = await platform.account();
    const { database, clock } = platform.running.services;
    const { live, accountId } = account();
    const owner: Owners = { environment_id: idBytes(live.id), account_id: idBytes(accountId) };
    const enabled = enabledProducts(plugins.map(({ name }) => name));
    for (const [table, values] of Object.entries(tables))
      if (table.startsWith('svc_') || enabled.some((product) => table.startsWith(product)))
        await fillTable(database, table, { count, owner, values, at: clock.now() });
  });

  /** The values to filter a list by. */
  async function valuesOf(operation: Operation, field: string): Promise<readonly unknown[]> {
    const known = (operation.product === 'sms' ? phones[field] : undefined) ?? samples[field];
    if (known) return known;
    const schema = propertiesOf(operation.input)[field];
    const choices: unknown = schema?.['enum'];
    if (isList(choices)) return choices;
    const maker = makerOf(operation.product, field);
    if (!maker) throw new Error(`Give values for ${operation.name} by ${field}.`);
    return [await maker.make({ platform, account: account(), side: 'live' })];
  }

  async function call(operation: Operation, input: object): Promise<{ status: number; text: string; read: number }> {
    const before = await readRows();
    const { status, text } = await account().svc.raw(pathOf(operation.name), JSON.stringify(input));
    return { status, text, read: (await readRows()) - before };
  }

  /** Fields that an operation requires: the owner of the many rows. */
  async function requiredBy({ name }: Operation): Promise<Record<string, unknown>> {
    if (name !== 'auth.session.list') return {};
    const [row] = await platform.running.services.database.rows<{ id: Buffer }>(
      'SELECT user_id AS id FROM auth_session ORDER BY id LIMIT 1',
    );
    return row ? { userId: idText(row.id) } : {};
  }

  const cases = lists.flatMap((operation) =>
    [undefined, ...filtersOf(operation)].map((filter) => ({
      operation,
      filter,
      title: `${operation.name}${filter === undefined ? '' : ` by ${filter}`}`,
    })),
  );
  for (const { operation, filter, title } of cases)
    it(title, async () => {
      const values = filter === undefined ? [] : await valuesOf(operation, filter);
      const required = await requiredBy(operation);
      for (const input of filter === undefined ? [{}] : values.map((value) => ({ [filter]: value }))) {
        const { status, text, read } = await call(operation, { ...required, ...input, limit: 1 });
        expect(status, text).to.equal(200);
        expect(read, JSON.stringify(input)).to.be.lessThan(mostOf(title));
      }
    });

  it('and finds the one old row that passes a filter in one call, or the end', async () => {
    const { svc } = account();
    const found = await svc.call('account.activity.list', { operation: 'account.update' });
    expect(found.activities.map(({ operation }) => operation)).to.deep.equal(['account.update']);
    expect(found.nextBefore).to.equal(null);
    const nothing = await svc.call('account.activity.list', { actorId: 'nobody' });
    expect([nothing.activities, nothing.nextBefore]).to.deep.equal([[], null]);
  });

  it('and a recurring job that finds nothing due reads few, too', async () => {
    const { services } = platform.running;
    const enabled = enabledProducts(plugins.map(({ name }) => name));
    const mine = plugins.filter(({ name }) => enabled.includes(name));
    const jobs = [...housekeeping(services), ...mine.flatMap(({ jobs: ofPlugin }) => ofPlugin?.(services) ?? [])];
    const read: Record<string, number> = {};
    for (const { name, run } of jobs) {
      const before = await readRows();
      await run();
      read[name] = (await readRows()) - before;
    }
    expect(Object.entries(read).filter(([, rows]) => rows > 2_000)).to.deep.equal([]);
  });
});
