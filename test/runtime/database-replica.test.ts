import { expect } from 'chai';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { openReplicas, type ReplicaReport, type Replicas } from '#core/runtime/database/replica/replicas.js';
import { asStatement, type SqlValue, type Statement } from '#core/runtime/database/statement.js';
import { randomBytes } from '#core/runtime/random-bytes.js';
import { up as heartbeat } from '#migrations/core/0250_heartbeat.js';
import { up as rootKey } from '#migrations/core/0005_root_key.js';
import { useDatabase } from '#test/support/use-database.js';

describe('The replicas of a database', function () {
  this.timeout(20_000);
  // The database at two addresses: its replica is never behind.
  const test = useDatabase({ poolSize: 4 });
  const open: Replicas[] = [];
  const reports: ReplicaReport[] = [];
  const clock = { aheadMs: 0 };
  const opened = async (primary: ConnectedDatabase = test.direct): Promise<Replicas> => {
    const url = new URL(test.url);
    url.search = '';
    url.hostname = '127.0.0.1';
    url.port = String(test.proxy.port);
    const replicas = await openReplicas({
      url: url.href,
      poolSize: 4,
      primary,
      primaryPlace: () => 'elsewhere:3306',
      limitMs: 10_000,
      report: (report) => reports.push(report),
      now: () => performance.now() + clock.aheadMs,
    });
    open.push(replicas);
    return replicas;
  };
  const isOpened = (replicas: Replicas, maxAgeMs: number): boolean => {
    const reader = replicas.openReader(undefined, maxAgeMs);
    reader?.release();
    return reader !== undefined;
  };

  before(async () => {
    for (const sql of [...rootKey, ...heartbeat]) await test.direct.run(sql);
  });
  beforeEach(() => {
    reports.length = 0;
    clock.aheadMs = 0;
  });
  afterEach(async () => {
    for (const replicas of open.splice(0)) await replicas.close();
  });

  it('answer only if their data is not older than the call allows, nor than the limit', async () => {
    const replicas = await opened();
    expect(isOpened(replicas, 5_000)).to.equal(true);
    expect(isOpened(replicas, 0)).to.equal(false);
    clock.aheadMs = 6_000;
    expect(isOpened(replicas, 5_000)).to.equal(false);
    expect(isOpened(replicas, 9_000)).to.equal(true);
    clock.aheadMs = 11_000;
    expect(isOpened(replicas, Infinity)).to.equal(false);
    const [status] = replicas.status();
    expect(status?.isUsed).to.equal(false);
    expect(status?.ageMs).to.be.within(11_000, 13_000);
  });

  it('are known even if another process has changed the heartbeat since the primary was asked', async () => {
    const primary: ConnectedDatabase = {
      ...test.direct,
      async batch(sql: string | Statement, parameters?: readonly SqlValue[]) {
        const answer = await test.direct.batch(asStatement(sql, parameters));
        await test.direct.run(
          'UPDATE svc_heartbeat SET previous_beat = beat, previous_at = at, beat = ?, at = NOW(3) WHERE id = 1',
          [randomBytes(16)],
        );
        return answer;
      },
    };
    const replicas = await opened(primary);
    expect(reports.map(({ kind }) => kind)).to.deep.equal(['used']);
    expect(isOpened(replicas, 5_000)).to.equal(true);
  });

  it('share the values of one heartbeat: it changes once a second, however many processes ask', async () => {
    await test.direct.run("UPDATE svc_heartbeat SET at = '2000-01-01'");
    const [first, second] = await Promise.all([opened(), opened()]);
    expect([isOpened(first, 5_000), isOpened(second, 5_000)]).to.deep.equal([true, true]);
    const [row] = await test.direct.rows<{ changes: number }>(
      "SELECT (beat IS NOT NULL) + (previous_at > '2000-01-01') AS changes FROM svc_heartbeat",
    );
    expect(row?.changes).to.equal(1);
  });
});
