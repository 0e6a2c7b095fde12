import { expect } from 'chai';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { isStatementTimeout } from '#core/runtime/database/errors.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { textAt } from '#core/runtime/json.js';
import { apiAt } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform, type TestAccount, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { lab, partOf } from './support/lab.js';

const gate = createGate();
/** Reads that run now, and the most that ran at once. */
const reads = { running: 0, most: 0 };

const reader = (name: string, mayTakeLong: boolean): Operation =>
  defineOperation({
    name,
    summary: 'Read something, and wait with the connection.',
    access: 'secret',
    permission: null,
    impact: { read: true },
    mayTakeLong: () => mayTakeLong,
    input: object({}),
    output: object({ done: boolean() }),
    example: { input: {}, output: { done: true } },
    async handle(_, { db }) {
      await db.rows('SELECT 1');
      reads.running += 1;
      reads.most = Math.max(reads.most, reads.running);
      await gate.pass();
      reads.running -= 1;
      return { done: true };
    },
  });

/** A write that reads before it begins. */
const write = defineOperation({
  name: 'lab.long.write',
  summary: 'Read something, then write.',
  access: 'secret',
  permission: null,
  mayTakeLong: () => true,
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  prepare: (_, { db }) => db.rows('SELECT 1'),
  async handle(_, { audit, caller }) {
    audit({ subject: { type: 'lab', id: caller.environment.id }, summary: 'Wrote.', changes: [] });
    return { done: true };
  },
});

/** A list whose one statement takes longer than is allowed. */
const slow = defineOperation({
  name: 'lab.slow.read',
  summary: 'Read for longer than is allowed.',
  access: 'secret',
  permission: null,
  impact: { read: true },
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  async handle(_, { db }) {
    await db.rows(endless);
    return { done: true };
  },
});

/** Ten thousand million rows: far more than any server counts in five seconds. */
const ten = `(SELECT 1 AS n${' UNION ALL SELECT 1'.repeat(9)})`;
const endless = `SELECT SUM(RAND() > 2) AS n FROM ${Array.from({ length: 10 }, (_, index) => `${ten} t${index}`).join(', ')}`;

const count = defineOperation({
  name: 'lab.count.endlessly',
  summary: 'Read for longer than is allowed.',
  access: 'secret',
  permission: null,
  impact: { read: true },
  mayTakeLong: () => true,
  input: object({}),
  output: object({ wasEnded: boolean() }),
  example: { input: {}, output: { wasEnded: true } },
  async handle(_, { db }) {
    const ended = await db.rows(endless).then(
      () => false,
      (error: unknown) => isStatementTimeout(error),
    );
    await db.rows('SELECT 1');
    return { wasEnded: ended };
  },
});

/** The environments of more projects of an account. */
async function environmentsOf(
  platform: TestPlatform,
  { svc }: TestAccount,
  projects: number,
): Promise<Pick<TestAccount, 'svc'>[]> {
  const found: Pick<TestAccount, 'svc'>[] = [];
  for (let project = 0; project < projects; project += 1) {
    const made = await svc.call('account.project.create', { name: `Project ${project}` });
    for (const kind of ['live', 'test'] as const) {
      const secret = textAt(made, 'keys', kind, 'secret') ?? '';
      const { running } = platform;
      found.push({
        svc: apiAt(
          () => running.address,
          () => secret,
          () => running.registry,
        ),
      });
    }
  }
  return found;
}

const start = ({ svc }: Pick<TestAccount, 'svc'>, path: string, times: number): Promise<number[]> =>
  Promise.all(Array.from({ length: times }, async () => (await svc.raw(path, '{}')).status));

describe('Reads that may take long', () => {
  needProducts('email');
  const platform = usePlatform({
    settings: () => ({ SVC_DATABASE_POOL: '16' }),
    plugins: [lab(reader('lab.long.read', true), count, write)],
  });
  afterEach(() => gate.open());

  it('run two at once per account and a quarter of the pool in all; other calls are answered while the rest waits', async () => {
    const accounts = await Promise.all([platform.account(), platform.account(), platform.account()]);
    const [first, second, third] = accounts;
    gate.close();
    const ofFirst = start(first, '/lab/long/read', 20);
    await gate.reached(2);
    await third.svc.call('email.message.list', {});
    const ofSecond = start(second, '/lab/long/read', 1);
    await gate.reached(3);
    const ofThird = start(third, '/lab/long/read', 2);
    await gate.reached(4);
    await Promise.all(accounts.map(({ svc }) => svc.call('email.message.list', {})));
    await third.svc.call('email.send', { to: 'ada@example.com', subject: 'Hello', text: 'Hi' });
    gate.open();
    expect(await ofFirst).to.deep.equal(Array.from({ length: 20 }, () => 200));
    expect([await ofSecond, await ofThird]).to.deep.equal([[200], [200, 200]]);
    expect(reads.most).to.equal(4);
  });

  it('of another account do not wait for those of an account with many environments', async () => {
    const [many, other] = await Promise.all([platform.account(), platform.account()]);
    const environments = await environmentsOf(platform, many, 10);
    reads.most = 0;
    gate.close();
    const held = environments.map((environment) => start(environment, '/lab/long/read', 2));
    await gate.reached(2);
    const ofOther = start(other, '/lab/long/read', 2);
    await gate.reached(4);
    gate.open();
    expect(await ofOther).to.deep.equal([200, 200]);
    expect(new Set((await Promise.all(held)).flat())).to.deep.equal(new Set([200]));
    expect(reads.most).to.equal(4);
  });

  it('do not keep a write of the same account waiting, however many wait themselves', async () => {
    const account = await platform.account();
    gate.close();
    const looking = start(account, '/lab/long/read', 6);
    await gate.reached(2);
    expect(await start(account, '/lab/long/write', 4)).to.deep.equal([200, 200, 200, 200]);
    gate.open();
    expect(new Set(await looking)).to.deep.equal(new Set([200]));
  });

  it('are refused when no turn comes within five seconds', async function () {
    this.timeout(20_000);
    const account = await platform.account();
    gate.close();
    const running = start(account, '/lab/long/read', 2);
    await gate.reached(2);
    const refused = await account.svc.refusal('lab.long.read', {});
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('2 slow reads at once per account, 4 in all');
    gate.open();
    expect(await running).to.deep.equal([200, 200]);
  });

  it('are ended by the database after five seconds, and the connection goes on', async function () {
    this.timeout(60_000);
    const { svc } = await platform.account();
    const answer = await svc.raw('/lab/count/endlessly', '{}');
    expect(partOf(answer.text, 'result')).to.deep.equal({ wasEnded: true });
  });
});

describe('The database connections of one process', () => {
  needProducts('email');
  const parts: { smtp?: SmtpReceiver } = {};
  const refusing = { on: true };
  const platform = usePlatform({
    async settings() {
      parts.smtp = await startSmtpReceiver({
        onMessage: () => (refusing.on ? { code: 451, message: 'Later' } : null),
      });
      return { SVC_DATABASE_POOL: '4', SVC_SMTP_URL: parts.smtp.url };
    },
    plugins: [lab(reader('lab.plain.read', false))],
  });
  after(() => parts.smtp?.close());
  afterEach(() => gate.open());

  it('are divided: while calls hold all of theirs, the readiness check answers and mail is sent', async () => {
    const [first, second, third] = await Promise.all([platform.account(), platform.account(), platform.account()]);
    await first.svc.call('email.send', { to: 'ada@example.com', subject: 'Hello', text: 'Hi' });
    await platform.settled();
    gate.close();
    const holding = [first, second].map((account) => start(account, '/lab/plain/read', 1));
    await gate.reached(2);
    const refused = await third.svc.refusal('email.message.list', {});
    expect(refused).to.include({ status: 503, code: 'unavailable' });
    expect((await fetch(`${platform.running.address}/readyz`)).status).to.equal(200);
    refusing.on = false;
    platform.clock.advance(minutes(10));
    await parts.smtp?.waitFor((mails) => mails.length === 1);
    gate.open();
    expect(await Promise.all(holding)).to.deep.equal([[200], [200]]);
  });
});

describe('Ordinary reads', () => {
  needProducts('audience');
  const platform = usePlatform({
    settings: () => ({ SVC_DATABASE_POOL: '16' }),
    plugins: [lab(reader('lab.plain.read', false), slow)],
  });
  beforeEach(() => (reads.most = 0));
  afterEach(() => gate.open());

  it('of one account leave as many connections as they take: other accounts are answered, also its own other environments', async () => {
    const [first, second] = await Promise.all([platform.account(), platform.account()]);
    gate.close();
    // Calls have 11 of the 16 connections, an account 6, of which an environment leaves one.
    const ofFirst = start(first, '/lab/plain/read', 24);
    await gate.reached(5);
    await Promise.all(Array.from({ length: 5 }, () => second.svc.call('account.get', {})));
    await first.svcTest.call('account.get', {});
    const ofSecond = start(second, '/lab/plain/read', 24);
    await gate.reached(8);
    await first.svcTest.call('account.get', {});
    await first.svcTest.call('audience.contact.upsert', { externalId: 'ada' });
    expect(reads.most).to.equal(8);
    gate.open();
    expect(new Set([...(await ofFirst), ...(await ofSecond)])).to.deep.equal(new Set([200]));
  });

  it('of an account with many environments leave connections to other accounts, for writes too', async () => {
    const [many, other] = await Promise.all([platform.account(), platform.account()]);
    const environments = await environmentsOf(platform, many, 10);
    gate.close();
    const held = environments.map((environment) => start(environment, '/lab/plain/read', 2));
    await gate.reached(7);
    await other.svc.call('account.get', {});
    await other.svc.call('audience.contact.upsert', { externalId: 'ada' });
    expect(reads.most).to.equal(7);
    gate.open();
    expect(new Set((await Promise.all(held)).flat())).to.deep.equal(new Set([200]));
  });

  it('are refused when their account’s own calls hold its share for five seconds', async function () {
    this.timeout(20_000);
    const account = await platform.account();
    gate.close();
    const running = start(account, '/lab/plain/read', 5);
    await gate.reached(5);
    for (const refused of await Promise.all([
      account.svc.refusal('lab.plain.read', {}),
      account.svc.refusal('audience.contact.upsert', { externalId: 'ada' }),
    ])) {
      expect(refused).to.include({ status: 429, code: 'rate_limited' });
      expect(refused.message).to.contain('the calls of this account');
    }
    gate.open();
    expect(await running).to.deep.equal([200, 200, 200, 200, 200]);
  });

  it('whose statement takes longer than five seconds are ended by the database', async function () {
    this.timeout(60_000);
    const { svc } = await platform.account();
    const refused = await svc.refusal('lab.slow.read', {});
    expect(refused).to.include({ status: 503, code: 'unavailable' });
    expect(refused.message).to.contain('a read took longer than 5 seconds');
    await svc.call('account.get', {});
  });
});
