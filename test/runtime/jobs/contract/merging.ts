import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { ago, ahead, aJob, clockErrorMs, errorOf, given, usingStore, type Store } from '#test/runtime/jobs/support.js';

/** The contract of unique and debounced jobs. */
export function mergingContract(open: () => Promise<Store>): void {
  const at = usingStore(open);

  describe('saveJob of a unique job', () => {
    const unique = (user: unknown, more: object = {}) =>
      at.jobs.saveJob(
        aJob('digest', { unique: { 'data.user': user, kind: 'daily' }, data: { user }, ...more }),
        undefined,
      );

    it('updates the existing job, and only that one', async () => {
      const one = await unique(1);
      const two = await unique(2);
      const again = await unique(1, { priority: 7, nextRunAt: ahead(1_000) });
      expect(again).to.include({ _id: one._id, priority: 7 });
      expect(two._id).to.not.equal(one._id);
      expect(await at.jobs.queryJobs()).to.have.property('total', 2);
    });

    it('compares constraints by values, not by the order of their keys', async () => {
      const one = await unique(1);
      const again = await at.jobs.saveJob(aJob('digest', { unique: { kind: 'daily', 'data.user': 1 } }), undefined);
      expect(again._id).to.equal(one._id);
      expect(
        (await at.jobs.saveJob(aJob('other', { unique: { kind: 'daily', 'data.user': 1 } }), undefined))._id,
      ).to.not.equal(one._id);
    });

    it('does not change the existing job with insertOnly', async () => {
      const one = await unique(1, { data: { first: true } });
      const again = await unique(1, { data: { first: false }, priority: 9, uniqueOpts: { insertOnly: true } });
      expect(again).to.deep.include({ _id: one._id, data: { first: true } });
      expect(await at.jobs.getJobById(given(one._id))).to.deep.include({ priority: 0, data: { first: true } });
    });

    it('creates one job in 20 concurrent saves', async () => {
      const saved = await Promise.all(Array.from({ length: 20 }, () => unique('same')));
      expect(new Set(saved.map((job) => job._id)).size).to.equal(1);
      expect(await at.jobs.queryJobs()).to.have.property('total', 1);
    });

    it('refuses a query operator', async () => {
      await errorOf(at.jobs.saveJob(aJob('digest', { unique: { user: { $gt: 1 } } }), undefined));
    });
  });

  describe('saveJob of a debounced job', () => {
    const debounced = (debounce: object, more: object = {}) =>
      at.jobs.saveJob(
        aJob('index', { unique: { entity: 1 }, uniqueOpts: { debounce: { delay: 60_000, ...debounce } }, ...more }),
        undefined,
      );
    const due = (job: { nextRunAt: Date | null }) => given(job.nextRunAt).getTime();

    it('runs after the last save by its delay', async () => {
      const start = Date.now();
      const first = await debounced({});
      expect(due(first)).to.be.at.least(start + 60_000 - clockErrorMs);
      const second = await debounced({ delay: 120_000 }, { data: { last: true } });
      expect(second).to.deep.include({ _id: first._id, data: { last: true } });
      expect(due(second)).to.be.at.least(start + 120_000 - clockErrorMs);
      expect(second.debounceStartedAt).to.deep.equal(first.debounceStartedAt);
    });

    it('runs at once after it was delayed for maxWait', async () => {
      await debounced({ maxWait: 1 });
      await pause(5);
      expect(due(await debounced({ maxWait: 1 }))).to.be.at.most(Date.now() + clockErrorMs);
    });

    it('leading: keeps the first due time, and stores the last data', async () => {
      const first = await debounced({ strategy: 'leading' }, { nextRunAt: ago(5) });
      const second = await debounced({ strategy: 'leading' }, { data: { last: true } });
      expect(second).to.deep.include({ _id: first._id, nextRunAt: first.nextRunAt, data: { last: true } });
    });

    it('opens another window after the run', async () => {
      const first = await debounced({ strategy: 'leading', delay: 1 });
      await at.jobs.saveJobState({ ...first, nextRunAt: null, lastRunAt: ago(0), lastFinishedAt: ago(0) }, undefined);
      await pause(5);
      const again = ago(0);
      expect(await debounced({ strategy: 'leading', delay: 1 }, { nextRunAt: again })).to.deep.include({
        nextRunAt: again,
      });
    });

    it('is a normal job without a unique constraint', async () => {
      const nextRunAt = ago(5);
      const job = aJob('index', { uniqueOpts: { debounce: { delay: 60_000 } }, nextRunAt });
      expect(await at.jobs.saveJob(job, undefined)).to.deep.include({ nextRunAt });
    });
  });
}
