import { expect } from 'chai';
import { ago, ahead, aJob, given, usingStore, type Store } from '#test/runtime/jobs/support.js';

/** The contract of saving a job by its id, and of single jobs. */
export function savingContract(open: () => Promise<Store>): void {
  const at = usingStore(open);

  it('can be connected twice', () => at.jobs.connect());

  describe('saveJob', () => {
    it('gives a new job an id, and stores all of its fields', async () => {
      const job = aJob('all', {
        priority: 10,
        nextRunAt: ahead(60_000),
        data: { text: 'Zürich ☃', list: [1, { deep: null }], yes: true },
        repeatInterval: '5 minutes',
        repeatTimezone: 'Europe/Zurich',
        repeatAt: '3:30am',
        startDate: ahead(1_000),
        endDate: ahead(900_000),
        skipDays: [0, 6],
        disabled: true,
        fork: true,
      });
      const saved = await at.jobs.saveJob(job, { lastModifiedBy: 'a node' });
      const found = given(await at.jobs.getJobById(given(saved._id)));
      expect(found).to.include({ _id: saved._id, lastModifiedBy: 'a node' });
      expect(found).to.deep.include(job);
    });

    it('stores an interval in milliseconds as a number', async () => {
      const { _id } = await at.jobs.saveJob(aJob('number', { repeatInterval: 5_000 }), undefined);
      expect(await at.jobs.getJobById(given(_id))).to.include({ repeatInterval: 5_000 });
    });

    it('updates the job that has the id', async () => {
      const saved = await at.jobs.saveJob(aJob('again', { data: { version: 1 } }), undefined);
      const nextRunAt = ahead(9_000);
      const updated = await at.jobs.saveJob({ ...saved, priority: 20, data: { version: 2 }, nextRunAt }, undefined);
      expect(updated).to.deep.include({ _id: saved._id, priority: 20, data: { version: 2 }, nextRunAt });
      expect(await at.jobs.getJobById(given(saved._id))).to.deep.include({
        priority: 20,
        data: { version: 2 },
        nextRunAt,
      });
      expect(await at.jobs.queryJobs()).to.have.property('total', 1);
    });

    it('returns a removed job unchanged, and does not create it again', async () => {
      const saved = await at.jobs.saveJob(aJob('gone'), undefined);
      await at.jobs.removeJobs({ id: given(saved._id) });
      expect(await at.jobs.saveJob({ ...saved, priority: 3 }, undefined)).to.include({ _id: saved._id, priority: 3 });
      expect(await at.jobs.queryJobs()).to.have.property('total', 0);
    });

    it('does not change the worker’s fields', async () => {
      const saved = await at.jobs.saveJob(aJob('worked', { type: 'single' }), undefined);
      const state = {
        lastRunAt: ago(3_000),
        lastFinishedAt: ago(2_000),
        failedAt: ago(2_000),
        failCount: 3,
        failReason: 'no',
        progress: 40,
      };
      await at.jobs.saveJobState({ ...saved, ...state }, undefined);
      await at.jobs.saveJob(aJob('worked', { type: 'single', data: { new: true } }), undefined);
      expect(await at.jobs.getJobById(given(saved._id))).to.deep.include({ ...state, data: { new: true } });
    });
  });

  describe('saveJob of a single job', () => {
    const single = (more: object = {}) =>
      at.jobs.saveJob(aJob('tick', { type: 'single', repeatInterval: '1 hour', ...more }), undefined);

    it('stores one single job for each name, apart from normal jobs', async () => {
      await at.jobs.saveJob(aJob('tick'), undefined);
      const first = await single({ data: { run: 1 } });
      const second = await single({ data: { run: 2 }, priority: 5 });
      expect(second).to.deep.include({ _id: first._id, data: { run: 2 }, priority: 5 });
      expect(await at.jobs.queryJobs({ name: 'tick' })).to.have.property('total', 2);
    });

    it('keeps a stored due time instead of "now", and accepts a later one', async () => {
      const nextRunAt = ahead(50_000);
      await single({ nextRunAt });
      expect(await single({ nextRunAt: ago(1) })).to.deep.include({ nextRunAt });
      const later = ahead(90_000);
      expect(await single({ nextRunAt: later })).to.deep.include({ nextRunAt: later });
    });

    it('does not lose a run that is due and not claimed yet', async () => {
      const nextRunAt = ago(200);
      await single({ nextRunAt, repeatInterval: '0 3 * * *' });
      expect(await single({ nextRunAt: ahead(86_400_000), repeatInterval: '0 3 * * *' })).to.deep.include({
        nextRunAt,
      });
    });

    it('accepts "now" where the interval has changed', async () => {
      await single({ nextRunAt: ahead(3_600_000) });
      const now = ago(1);
      expect(await single({ nextRunAt: now, repeatInterval: '1 minute' })).to.deep.include({ nextRunAt: now });
    });

    it('does not enable a disabled job', async () => {
      const { _id } = await single();
      await at.jobs.disableJobs({ name: 'tick' });
      await single();
      expect(await at.jobs.getJobById(given(_id))).to.include({ disabled: true });
      await single({ disabled: false });
      expect(given(await at.jobs.getJobById(given(_id))).disabled).to.not.equal(true);
    });

    it('creates one job in 20 concurrent saves', async () => {
      const saved = await Promise.all(Array.from({ length: 20 }, (_, racer) => single({ data: { racer } })));
      expect(new Set(saved.map((job) => job._id)).size).to.equal(1);
      expect(await at.jobs.queryJobs({ name: 'tick' })).to.have.property('total', 1);
    });
  });
}
