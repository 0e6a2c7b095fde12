import { expect } from 'chai';
import { computeJobState } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import { asStatement, type SqlValue, type Statement } from '#core/runtime/database/statement.js';
import { mysqlBackend } from '#core/runtime/jobs/mysql-backend/index.js';
import { jobsContract } from './contract/index.js';
import { ago, ahead, aJob, errorOf, given, mysqlStore, withoutLock, type MysqlStore } from './support.js';

describe('jobs in MySQL', () => {
  describe('by the contract', () => jobsContract(mysqlStore));

  describe('beyond the contract', () => {
    let store: MysqlStore;
    let jobs: ReturnType<typeof mysqlBackend>['repository'];
    before(async () => {
      store = await mysqlStore();
      jobs = mysqlBackend(store.database).repository;
    });
    beforeEach(() => jobs.purgeAllJobs());
    after(() => store.remove());

    const claim = (now?: Date, lockLifeMs = 600_000) => {
      const local = now ?? new Date();
      return jobs.getNextJobToRun('work', ahead(5_000), new Date(local.getTime() - lockLifeMs), now, undefined);
    };
    const dbNow = async () =>
      given((await store.database.rows<{ now: Date }>('SELECT NOW(3) AS `now`'))[0]).now.getTime();

    it('distinguishes names that differ in case, accents or trailing blanks', async () => {
      const names = ['work', 'Work', 'wörk', 'work ', 'work\t'];
      for (const name of names) await jobs.saveJob(aJob(name, { type: 'single' }), undefined);
      expect(await jobs.getDistinctJobNames()).to.have.members(names);
      expect(await jobs.removeJobs({ name: 'work' })).to.equal(1);
    });

    it('distinguishes two workers whose locks have the same timestamp', async () => {
      const saved = await jobs.saveJob(aJob('work'), undefined);
      const stale = given(await claim());
      const owner = given(await claim(undefined, -60_000));
      await store.database.run("UPDATE svc_job SET locked_at = '2026-01-01 00:00:00.000'");
      await errorOf(jobs.saveJobState({ ...stale, lockedAt: given(owner.lockedAt), progress: 1 }, undefined));
      await jobs.unlockJob({ ...stale, lockedAt: given(owner.lockedAt) });
      expect(given(await jobs.getJobById(given(saved._id))).lockedAt).to.not.equal(undefined);
      await jobs.saveJobState({ ...owner, progress: 2 }, undefined);
      expect(await jobs.getJobById(given(saved._id))).to.include({ progress: 2 });
    });

    it('writes and compares locks by the database’s clock, however wrong the node’s clock is', async () => {
      const { _id } = await jobs.saveJob(aJob('work'), undefined);
      const wrong = ahead(3_600_000);
      const job = given(await claim(wrong));
      expect(job.lockedAt).to.deep.equal(wrong);
      const stored = given(await jobs.getJobById(given(_id)));
      expect(given(stored.lockedAt).getTime()).to.be.within((await dbNow()) - 20_000, await dbNow());
      expect(await claim(wrong), 'by a node an hour ahead').to.equal(undefined);
      expect(await claim(ago(3_600_000)), 'by a node an hour behind').to.equal(undefined);
    });

    /** The database; `before` is awaited before each statement that matches. */
    const interrupted = (matching: RegExp, before: () => Promise<void>): Database => ({
      ...store.database,
      async run(statement: string | Statement, parameters?: readonly SqlValue[]) {
        const { sql, parameters: values } = asStatement(statement, parameters);
        if (matching.test(sql)) await before();
        return store.database.run(sql, values);
      },
    });

    it('does not claim a job that another ran and released between its read and its claim', async () => {
      const { _id } = await jobs.saveJob(aJob('work'), undefined);
      const slow = mysqlBackend(
        interrupted(/SET locked_at = NOW/, async () => {
          const job = await claim();
          if (job)
            await jobs.saveJobState({ ...withoutLock(job), nextRunAt: null, lastFinishedAt: new Date() }, undefined);
        }),
      );
      expect(await slow.repository.getNextJobToRun('work', new Date(), ago(600_000), undefined, undefined)).to.equal(
        undefined,
      );
      expect(given(await jobs.getJobById(given(_id))).lockedAt).to.equal(undefined);
    });

    it('does not claim a job that was rescheduled between its read and its claim', async () => {
      const saved = await jobs.saveJob(aJob('work'), undefined);
      const slow = mysqlBackend(
        interrupted(/SET locked_at = NOW/, async () => {
          await jobs.saveJob({ ...saved, nextRunAt: ahead(60_000) }, undefined);
        }),
      );
      expect(await slow.repository.getNextJobToRun('work', new Date(), ago(600_000), undefined, undefined)).to.equal(
        undefined,
      );
    });

    it('claims a job that another claimed and released without starting it meanwhile', async () => {
      const { _id } = await jobs.saveJob(aJob('work'), undefined);
      let interruptions = 0;
      const slow = mysqlBackend(
        interrupted(/SET locked_at = NOW/, async () => {
          interruptions += 1;
          if (interruptions === 1) await jobs.unlockJob(given(await claim()));
        }),
      ).repository;
      const job = given(await slow.getNextJobToRun('work', new Date(), ago(600_000), undefined, undefined));
      await slow.saveJobState({ ...job, progress: 3 }, undefined);
      expect(await jobs.getJobById(given(_id))).to.include({ progress: 3 });
    });

    it('saves again after a deadlock, which Agenda would ignore', async () => {
      await jobs.saveJob(aJob('work'), undefined);
      const job = given(await claim());
      let deadlocks = 0;
      const unlucky = mysqlBackend(
        interrupted(/SET last_run_at/, async () => {
          deadlocks += 1;
          if (deadlocks < 3) throw Object.assign(new Error('Deadlock found'), { errno: 1213 });
        }),
      );
      await unlucky.repository.saveJobState({ ...job, progress: 9 }, undefined);
      expect(await jobs.getJobById(given(job._id))).to.include({ progress: 9 });
    });

    it('releases by id only jobs that this backend has locked', async () => {
      const { _id } = await jobs.saveJob(aJob('work'), undefined);
      await mysqlBackend(store.database).repository.getNextJobToRun(
        'work',
        new Date(),
        ago(600_000),
        undefined,
        undefined,
      );
      await jobs.unlockJobs([given(_id)]);
      expect(given(await jobs.getJobById(given(_id))).lockedAt).to.not.equal(undefined);
    });

    it('does not change the lock of a job that it never claimed', async () => {
      const saved = await jobs.saveJob(aJob('work'), undefined);
      await jobs.saveJobState({ ...saved, lockedAt: new Date(), progress: 5 }, undefined);
      const stored = given(await jobs.getJobById(given(saved._id)));
      expect([stored.progress, stored.lockedAt]).to.deep.equal([5, undefined]);
      await claim();
      await errorOf(jobs.saveJobState({ ...saved, progress: 6 }, undefined));
    });

    it('computes states as Agenda does', async () => {
      const moments = [undefined, ago(60_000), ago(30_000)];
      for (const failedAt of moments) {
        for (const lastFinishedAt of moments) {
          for (const repeatInterval of [undefined, '1 hour']) {
            for (const nextRunAt of [null, ago(60_000), ahead(60_000)]) {
              const job = { ...aJob('work', { nextRunAt }), ...(repeatInterval && { repeatInterval }) };
              const saved = await jobs.saveJob(job, undefined);
              await jobs.saveJobState(
                { ...saved, ...(failedAt && { failedAt }), ...(lastFinishedAt && { lastFinishedAt }) },
                undefined,
              );
            }
          }
        }
      }
      const { jobs: all, total } = await jobs.queryJobs();
      expect(total).to.equal(54);
      const expected = all.map((job) => computeJobState(job));
      expect(all.map((job) => job.state)).to.deep.equal(expected);
      const counted = new Set(expected);
      for (const state of counted) {
        expect(await jobs.queryJobs({ state })).to.have.property(
          'total',
          expected.filter((each) => each === state).length,
        );
      }
    });

    it('claims with an index', async () => {
      for (let made = 0; made < 200; made += 1)
        await jobs.saveJob(aJob('work', { priority: made % 7, nextRunAt: ago(made * 50) }), undefined);
      await store.database.rows('ANALYZE TABLE svc_job');
      const [plan] = await store.database.rows<{ key: string; Extra: string }>(
        `EXPLAIN FORMAT=TRADITIONAL SELECT id, fence, locked_at, next_run_at FROM svc_job
          WHERE name = 'work' AND disabled = 0 AND locked_at IS NULL AND next_run_at <= NOW(3)
          ORDER BY next_run_at, priority DESC LIMIT 1`,
      );
      expect(given(plan).key).to.equal('svc_job_claim');
      expect(given(plan).Extra).to.not.contain('filesort');
    });

    it('fails to connect where the table does not exist', async () => {
      await store.database.run('RENAME TABLE svc_job TO svc_job_away');
      const error = await errorOf(mysqlBackend(store.database).connect());
      await store.database.run('RENAME TABLE svc_job_away TO svc_job');
      expect(error.message).to.contain('svc_job');
    });
  });
});
