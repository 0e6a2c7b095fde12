import { expect } from 'chai';
import type { InputOf, OperationName } from '#test/support/api.js';
import { seconds } from '#test/support/clock.js';
import { runSvc, useConfigFolder } from '#test/cli/support.js';
import { eventually } from '#test/support/eventually.js';
import { recordAt } from '#test/support/json.js';
import { freePort } from '#test/support/free-port.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { startReplicated, type Replicated, type ReplicaServer } from '#test/support/replication.js';
import { rejection } from '#test/support/use-database.js';

interface Answer {
  readonly status: number;
  /** The header Svc-Data-As-Of; null if the primary answered. */
  readonly asOf: string | null;
  readonly text: string;
}

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const days = { since: dayIn(-30), until: dayIn(30) };

describe('SVC_DATABASE_READ_URL', function () {
  this.timeout(90_000);
  const parts: { servers?: Replicated; account?: TestAccount } = {};
  const servers = (): Replicated => {
    if (!parts.servers) throw new Error('The servers are not started yet.');
    return parts.servers;
  };
  const replica = (index: number): ReplicaServer => {
    const found = servers().replicas[index];
    if (!found) throw new Error(`There is no replica ${index}.`);
    return found;
  };
  const account = (): TestAccount => {
    if (!parts.account) throw new Error('There is no account yet.');
    return parts.account;
  };

  before(async () => {
    parts.servers = await startReplicated(2);
  });
  const platform = usePlatform({
    database: 'empty',
    databaseUrl: () => servers().primaryUrl,
    settings: () => ({
      SVC_DATABASE_URL: servers().primaryUrl,
      SVC_DATABASE_READ_URL: `mysql://node:a,b@${replica(0).place},${replica(1).place}/svc`,
      SVC_DATABASE_READ_LAG_SECONDS: '2',
    }),
  });
  after(() => parts.servers?.stop());
  const config = useConfigFolder();

  const ask = async <N extends OperationName>(
    name: N,
    input: InputOf<N>,
    options: { key?: string; maxAge?: string; at?: string } = {},
  ): Promise<Answer> => {
    const { key = account().keys.live.secret, maxAge, at = platform.running.address } = options;
    const answer = await fetch(`${at}/${name.replaceAll('.', '/')}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(maxAge === undefined ? {} : { 'Svc-Max-Age': maxAge }),
      },
      body: JSON.stringify(input),
    });
    // A key may make 600 calls a minute.
    platform.clock.advance(seconds(0.2));
    return { status: answer.status, asOf: answer.headers.get('Svc-Data-As-Of'), text: await answer.text() };
  };
  /** The number of messages in the statistics, in any state. */
  const counted = ({ text }: Answer): number => {
    const total = recordAt(JSON.parse(text), 'result', 'total');
    return Object.values(total).reduce<number>((sum, each) => sum + Number(each), 0);
  };
  /** Waits until a replica is used that knows everything that is committed now. */
  const isUsed = async (): Promise<void> => {
    const [row] = await platform.running.services.database.rows<{ present: Date }>('SELECT NOW(3) AS present');
    const since = row?.present ?? new Date();
    await eventually(async () => {
      const { asOf } = await ask('email.stats.get', days);
      return asOf !== null && new Date(asOf) > since;
    }, 'a replica is used');
  };
  const applyAll = (on: boolean): Promise<unknown> => Promise.all(servers().replicas.map((each) => each.apply(on)));
  const sent = (): Promise<unknown> =>
    account().svc.call('email.send', { to: 'ada@example.com', subject: 'Hello', text: 'Hello' });
  const linesAbout = (text: string): string[] => platform.logLines.filter((line) => line.includes(text));

  before(async () => {
    parts.account = await platform.account();
  });
  beforeEach(() => isUsed());
  afterEach(async () => {
    for (const { proxy } of servers().replicas) proxy.restore();
    await applyAll(true);
  });

  it('statistics come from a replica, with the time they know of and the time limit of reads', async () => {
    const before = Date.now();
    const { status, asOf } = await ask('email.stats.get', days);
    expect(status).to.equal(200);
    expect(Date.parse(asOf ?? '')).to.be.within(before - 4_000, Date.now() + 1_000);
    const statements = (await Promise.all([0, 1].map((each) => replica(each).statements('FROM email_stat')))).flat();
    expect(statements).to.have.length.greaterThan(0);
    for (const each of statements) expect(each).to.match(/max_statement_time=5|MAX_EXECUTION_TIME\(5000\)/);
  });

  it('a caller that does not allow an old answer finds what was just written; others do not until it is applied', async () => {
    const known = counted(await ask('email.stats.get', days));
    await applyAll(false);
    await sent();
    const old = await ask('email.stats.get', days);
    expect(old.asOf).to.be.a('string');
    expect(counted(old)).to.equal(known);
    const fresh = await ask('email.stats.get', days, { maxAge: '0' });
    expect(fresh.asOf).to.equal(null);
    expect(counted(fresh)).to.equal(known + 1);
    await applyAll(true);
    await eventually(async () => {
      const answer = await ask('email.stats.get', days);
      return answer.asOf !== null && counted(answer) === known + 1;
    }, 'the replica has the message');
  });

  it('lists come from the primary, unless the call allows an age', async () => {
    await applyAll(false);
    const { messageId } = await account().svc.call('email.send', { to: 'bo@example.com', subject: 'Hi', text: 'Hi' });
    const list = await ask('email.message.list', {});
    expect(list.asOf).to.equal(null);
    expect(list.text).to.contain(messageId);
    const old = await ask('email.message.list', {}, { maxAge: '60' });
    expect(old.asOf).to.be.a('string');
    expect(old.text).not.to.contain(messageId);
  });

  it('a replica that is further behind than allowed is left, and used again once it has caught up', async () => {
    const known = counted(await ask('email.stats.get', days));
    await applyAll(false);
    await sent();
    await eventually(async () => (await ask('email.stats.get', days)).asOf === null, 'the replicas are left');
    expect(counted(await ask('email.stats.get', days))).to.equal(known + 1);
    expect((await ask('email.message.list', {}, { maxAge: '600' })).asOf).to.equal(null);
    const behind = linesAbout('behind the primary');
    expect(behind).to.have.length(2);
    expect(behind.join('')).to.match(
      /the replica 127\.0\.0\.1:\d+ is not used, and the primary is read instead: it is \d s behind/,
    );
    const metrics = await (await fetch(`${platform.running.address}/metrics`)).text();
    expect(metrics).to.match(new RegExp(`svc_database_replica_used\\{server="${replica(0).place}"\\} 0`));
    expect(metrics).to.match(new RegExp(`svc_database_replica_lag_seconds\\{server="${replica(0).place}"\\} [2-9]`));
    await applyAll(true);
    await isUsed();
    expect(counted(await ask('email.stats.get', days))).to.equal(known + 1);
  });

  it('what a replica does not have yet is found on the primary', async () => {
    await applyAll(false);
    const { segment } = await account().svc.call('audience.segment.create', {
      name: 'Everybody',
      definition: { field: 'email', op: 'starts_with', value: 'a' },
    });
    const { status, asOf } = await ask('audience.segment.get', { segmentId: segment.id }, { maxAge: '60' });
    expect({ status, asOf }).to.deep.equal({ status: 200, asOf: null });
  });

  it('a revoked key is refused at once, and no replica is asked about keys', async () => {
    const { key, plaintext: secret } = await account().svc.call('developers.key.create', {
      name: 'Reports',
      permissions: ['email:read'],
    });
    await isUsed();
    expect((await ask('email.stats.get', days, { key: secret })).asOf).to.be.a('string');
    await applyAll(false);
    await account().svc.call('developers.key.revoke', { keyId: key.id });
    expect((await ask('email.stats.get', days, { key: secret })).status).to.equal(401);
    expect(await replica(0).statements('developers_key')).to.deep.equal([]);
  });

  it('no call fails when all replicas are killed, and they are used again afterwards', async () => {
    const answers: Answer[] = [];
    let isOver = false;
    const callers = Array.from({ length: 4 }, async () => {
      while (!isOver) answers.push(await ask('email.stats.get', days));
    });
    const hasNew = (since: number, isOld: boolean) => (): boolean =>
      answers.slice(since).some(({ asOf }) => (asOf !== null) === isOld);
    await eventually(hasNew(0, true), 'a replica answers');
    replica(0).kill();
    replica(1).kill();
    const killed = answers.length;
    await eventually(hasNew(killed, false), 'the primary answers');
    const left = answers.length;
    await eventually(hasNew(left, true), 'a replica answers again', 40_000);
    isOver = true;
    await Promise.all(callers);
    for (const { direct } of servers().replicas)
      await eventually(
        () =>
          direct.rows('SELECT 1').then(
            () => true,
            () => false,
          ),
        'both are running again',
        40_000,
      );
    expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([]);
    expect(new Set(answers.map(counted)).size).to.equal(1);
  });

  it('no call fails when all replicas hang', async () => {
    for (const { proxy } of servers().replicas) proxy.freeze();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('email.stats.get', days)));
    expect(answers.map(({ status, asOf }) => ({ status, asOf }))).to.deep.equal(
      Array.from({ length: 8 }, () => ({ status: 200, asOf: null })),
    );
  });

  it('a server that has none of the primary’s recent heartbeats is not used: it copies another database', async () => {
    await applyAll(false);
    for (const { direct } of servers().replicas)
      await direct.run("UPDATE svc_heartbeat SET beat = UNHEX(REPEAT('a', 32))");
    await eventually(
      async () =>
        linesAbout('does not follow the primary').length >= 2 && (await ask('email.stats.get', days)).asOf === null,
      'both are left',
    );
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('email.stats.get', days)));
    expect(new Set(answers.map(({ asOf }) => asOf))).to.deep.equal(new Set([null]));
  });

  it('several nodes share the heartbeat, and none of them leaves a replica that is up to date', async () => {
    const node = await platform.secondNode();
    const isBeaten = async (): Promise<string> => {
      const [row] = await platform.running.services.database.rows<{ beat: Buffer }>('SELECT beat FROM svc_heartbeat');
      return row?.beat.toString('hex') ?? '';
    };
    const lines = linesAbout('is not used').length;
    const seen = new Set<string>();
    await eventually(async () => {
      seen.add(await isBeaten());
      const answers = await Promise.all(
        [platform.running.address, node.running.address].map((at) => ask('email.stats.get', days, { at })),
      );
      return answers.every(({ asOf }) => asOf !== null) && seen.size > 4;
    }, 'both nodes read from replicas');
    expect(linesAbout('is not used')).to.have.length(lines);
    await node.stop();
  });

  it('svc starts while a replica is down, and says so', async () => {
    const place = `127.0.0.1:${await freePort()}`;
    const node = await platform.secondNode({ SVC_DATABASE_READ_URL: `mysql://node:a,b@${place}/svc` });
    expect(linesAbout(`the replica ${place} is not used`)).to.have.length(1);
    const { status, asOf } = await ask('email.stats.get', days, { at: node.running.address });
    expect({ status, asOf }).to.deep.equal({ status: 200, asOf: null });
    await node.stop();
  });

  it('svc does not start with a replica that refuses its user or belongs to another deployment', async () => {
    const refusal = async (url: string): Promise<string> =>
      String(await rejection(platform.secondNode({ SVC_DATABASE_READ_URL: url })));
    expect(await refusal(`mysql://node:wrong@${replica(0).place}/svc`)).to.match(
      /refuses the user "node".*\n.*Correct user and password in SVC_DATABASE_READ_URL/,
    );
    await applyAll(false);
    const { direct, change, url, place } = replica(0);
    const [row] = await direct.rows<{ digest: Buffer }>('SELECT digest FROM svc_root_key');
    await change("UPDATE svc_root_key SET digest = REPEAT('x', 32)");
    expect(await refusal(url)).to.contain(
      `The replica at ${place} has the database of another deployment.\n  Correct SVC_DATABASE_READ_URL`,
    );
    await change('UPDATE svc_root_key SET digest = ?', [row?.digest ?? null]);
  });

  it('svc doctor says how far each replica is behind', async () => {
    const down = `127.0.0.1:${await freePort()}`;
    const { stdout } = await runSvc(['doctor', '--base-url', platform.running.address], {
      config,
      env: {
        SVC_DATABASE_URL: servers().primaryUrl,
        SVC_SECRET_KEY: platform.secretKey,
        SVC_DATABASE_READ_URL: `mysql://node:a,b@${replica(0).place},${down}/svc`,
      },
    });
    expect(stdout).to.match(
      new RegExp(`^ok +replica +The replica at ${replica(0).place} answers, and is \\d s behind the primary\\.$`, 'm'),
    );
    expect(stdout).to.match(
      new RegExp(`^problem +replica +The replica at ${down} cannot be used: .*\n +fix: Start it`, 'm'),
    );
  });

  it('an age that is no number is refused', async () => {
    const { status, text } = await ask('email.stats.get', days, { maxAge: 'soon' });
    expect(status).to.equal(400);
    expect(text).to.contain('Svc-Max-Age');
  });
});
