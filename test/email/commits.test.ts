import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { send, sqlId, useMail } from './support.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('email delivery: commits', () => {
  const mail = useMail();
  const { platform } = mail;

  /**
   * What the server has counted. Nothing else uses it meanwhile: each process that runs tests has a server of its own.
   */
  const counted = async (): Promise<{ commits: number; writes: number }> => {
    const rows = await platform.running.services.database.rows<{ Variable_name: string; Value: string }>(
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_commit', 'Com_update', 'Com_insert', 'Com_delete', 'Com_delete_multi')",
    );
    const values = new Map(rows.map((row) => [row.Variable_name, Number(row.Value)]));
    const commits = values.get('Com_commit') ?? 0;
    return { commits, writes: [...values.values()].reduce((sum, each) => sum + each, 0) - commits };
  };

  it('sends a hundred messages with at most 150 commits and 400 writing statements, their events included', async function () {
    skipOnVitess(this, 'counters of the server');
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    await Promise.all(Array.from({ length: 100 }, () => send(svc, { sendAfter })));
    await platform.settled();
    const before = await counted();
    platform.clock.advance(hours(1));
    const queued = `partition_id = ${sqlId(live.id)}`;
    await eventually(async () => (await platform.count('email_queue', queued)) === 0, 'all are sent', 30_000, 100);
    await platform.settled();
    const after = await counted();
    expect(mail.smtp.received).to.have.length(100);
    // Sent one by one it would be some 400. How many share a commit depends on how busy the machine is.
    expect(after.commits - before.commits).to.be.at.most(150);
    expect(after.writes - before.writes).to.be.at.most(400);
  });
});
