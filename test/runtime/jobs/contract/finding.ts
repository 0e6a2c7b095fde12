import { expect } from 'chai';
import type { JobRepository, JobsQueryOptions } from 'agenda';
import { ago, ahead, aJob, given, usingStore, type Store } from '#test/runtime/jobs/support.js';

/** The contract of finding and counting jobs. */
export function findingContract(open: () => Promise<Store>): void {
  const at = usingStore(open);

  describe('getJobById, getDistinctJobNames, getQueueSize, getJobsOverview', () => {
    it('answer empty results without jobs', async () => {
      const { _id } = await at.jobs.saveJob(aJob('gone'), undefined);
      expect(await at.jobs.purgeAllJobs()).to.equal(1);
      expect(await at.jobs.getJobById(given(_id))).to.equal(null);
      expect(await at.jobs.getDistinctJobNames()).to.deep.equal([]);
      expect(await at.jobs.getQueueSize()).to.equal(0);
      expect(await at.jobs.getJobsOverview()).to.deep.equal([]);
    });

    it('list each name once, and count due jobs', async () => {
      for (const name of ['b', 'a', 'b']) await at.jobs.saveJob(aJob(name), undefined);
      await at.jobs.saveJob(aJob('c', { nextRunAt: ahead(60_000) }), undefined);
      await at.jobs.saveJob(aJob('c', { nextRunAt: null }), undefined);
      expect(await at.jobs.getDistinctJobNames()).to.have.members(['a', 'b', 'c']);
      expect(await at.jobs.getQueueSize()).to.equal(3);
    });

    it('count a name’s jobs by state', async () => {
      await inEveryState(at.jobs);
      const [overview, ...others] = await at.jobs.getJobsOverview();
      expect(others).to.deep.equal([]);
      expect(overview).to.deep.equal({
        name: 'state',
        total: 6,
        running: 1,
        scheduled: 1,
        queued: 1,
        completed: 1,
        failed: 1,
        repeating: 1,
        paused: 1,
      });
    });
  });

  describe('queryJobs', () => {
    const found = async (options: JobsQueryOptions) => {
      const { jobs: page, total } = await at.jobs.queryJobs(options);
      return { labels: page.map(({ data }) => labelOf(data)), total };
    };
    const labels = async (options: JobsQueryOptions) => (await found(options)).labels;

    async function three(): Promise<void> {
      const save = (name: string, priority: number, minutes: number, data: object, more: object = {}) =>
        at.jobs.saveJob(aJob(name, { priority, nextRunAt: ahead(minutes * 60_000), data, ...more }), undefined);
      await save('Mail.send', 10, 1, { label: 'one', to: { city: 'Bern', zip: 3000 } });
      await save('sms.send', 5, 2, { label: 'two', to: { city: 'Basel' } });
      await save('Mail.send', 15, 3, { label: 'three', to: { city: 'bern' } }, { disabled: true });
    }

    it('answers all jobs, the latest due first', async () => {
      await three();
      expect(await found({})).to.deep.equal({ labels: ['three', 'two', 'one'], total: 3 });
    });

    it('filters by name, names, id, ids, part of the name, and data', async () => {
      await three();
      const [three3, two, one] = (await at.jobs.queryJobs()).jobs.map((job) => job._id);
      expect(await labels({ name: 'Mail.send' })).to.have.members(['one', 'three']);
      expect(await labels({ name: 'mail.send' })).to.deep.equal([]);
      expect(await labels({ names: ['sms.send', 'none'] })).to.deep.equal(['two']);
      expect(await labels({ id: given(two) })).to.deep.equal(['two']);
      expect(await labels({ ids: [given(one), given(three3)] })).to.have.members(['one', 'three']);
      expect(await labels({ id: 'nonsense' })).to.deep.equal([]);
      expect(await labels({ search: 'mail.' })).to.have.members(['one', 'three']);
      expect(await labels({ search: '%' })).to.deep.equal([]);
      expect(await labels({ data: { to: { city: 'Bern' } } })).to.deep.equal(['one']);
      expect(await labels({ data: { label: 'two', to: { city: 'Basel' } } })).to.deep.equal(['two']);
      expect(await labels({ data: { label: 'two', to: { city: 'Bern' } } })).to.deep.equal([]);
      expect(await labels({ includeDisabled: false })).to.deep.equal(['two', 'one']);
      expect(await labels({ name: 'Mail.send', includeDisabled: false })).to.deep.equal(['one']);
    });

    it('sorts', async () => {
      await three();
      expect(await labels({ sort: { nextRunAt: 'asc' } })).to.deep.equal(['one', 'two', 'three']);
      expect(await labels({ sort: { priority: 'desc' } })).to.deep.equal(['three', 'one', 'two']);
      expect(await labels({ sort: { name: 'desc' } })).to.have.property('0', 'two');
      // The precedence of fields does not depend on the order of the request.
      expect(await labels({ sort: { name: 'desc', priority: 'asc' } })).to.deep.equal(['two', 'one', 'three']);
    });

    it('pages, and counts all jobs', async () => {
      await three();
      const sort = { nextRunAt: 'asc' } as const;
      expect(await found({ sort, limit: 2 })).to.deep.equal({ labels: ['one', 'two'], total: 3 });
      expect(await found({ sort, limit: 2, skip: 2 })).to.deep.equal({ labels: ['three'], total: 3 });
      expect(await found({ sort, skip: 1 })).to.deep.equal({ labels: ['two', 'three'], total: 3 });
      expect(await found({ sort, skip: 9, limit: 1 })).to.deep.equal({ labels: [], total: 3 });
    });

    it('filters and pages by state', async () => {
      await inEveryState(at.jobs);
      for (const state of ['running', 'failed', 'repeating', 'scheduled', 'queued', 'completed'] as const) {
        const { jobs: page, total } = await at.jobs.queryJobs({ state, limit: 5 });
        expect({ state, total, labels: page.map((job) => labelOf(job.data)) }).to.deep.equal({
          state,
          total: 1,
          labels: [state],
        });
        expect(page[0]).to.include({ state });
      }
      expect(await labels({ state: 'paused' })).to.deep.equal(['repeating']);
    });
  });
}

const labelOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null ? Reflect.get(data, 'label') : undefined;

/** One job in each state, labelled with it; the repeating one is paused too. */
async function inEveryState(jobs: JobRepository): Promise<void> {
  const save = (label: string, more: object = {}) =>
    jobs.saveJob(aJob('state', { data: { label }, ...more }), undefined);
  await jobs.lockJob(await save('running'), undefined);
  await jobs.saveJobState({ ...(await save('failed')), failedAt: ago(5), lastFinishedAt: ago(5) }, undefined);
  await jobs.saveJobState(
    { ...(await save('completed', { nextRunAt: null })), failedAt: ago(9), lastFinishedAt: ago(5) },
    undefined,
  );
  await save('repeating', { repeatInterval: '1 hour', nextRunAt: ahead(60_000), disabled: true });
  await save('scheduled', { nextRunAt: ahead(60_000) });
  await save('queued');
}
