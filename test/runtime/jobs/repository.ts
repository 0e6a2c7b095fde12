import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { AgendaBackend, JobRepository, JobsQueryOptions } from 'agenda';
import { ago, ahead, aJob, given, type Store } from './support.js';

/** What a repository promises of saving and finding jobs, whatever keeps them. */
export function repositoryContract(open: () => Promise<Store>): void {
  let store: Store;
  let backend: AgendaBackend;
  let jobs: JobRepository;

  before(async () => {
    store = await open();
    backend = await store.backend();
    jobs = backend.repository;
  });
  beforeEach(() => jobs.purgeAllJobs());
  after(() => store.remove());

  it('connects again without harm', () => jobs.connect());

  describe('saveJob', () => {
    it('gives a new job an id, and keeps all of it', async () => {
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
      const saved = await jobs.saveJob(job, { lastModifiedBy: 'a node' });
      const found = given(await jobs.getJobById(given(saved._id)));
      expect(found).to.include({ _id: saved._id, lastModifiedBy: 'a node' });
      expect(found).to.deep.include(job);
    });

    it('keeps an interval in milliseconds a number', async () => {
      const { _id } = await jobs.saveJob(aJob('number', { repeatInterval: 5_000 }), undefined);
      expect(await jobs.getJobById(given(_id))).to.include({ repeatInterval: 5_000 });
    });

    it('updates the job that has the id', async () => {
      const saved = await jobs.saveJob(aJob('again', { data: { version: 1 } }), undefined);
      const nextRunAt = ahead(9_000);
      const updated = await jobs.saveJob({ ...saved, priority: 20, data: { version: 2 }, nextRunAt }, undefined);
      expect(updated).to.deep.include({ _id: saved._id, priority: 20, data: { version: 2 }, nextRunAt });
      expect(await jobs.getJobById(given(saved._id))).to.deep.include({
        priority: 20,
        data: { version: 2 },
        nextRunAt,
      });
      expect(await jobs.queryJobs()).to.have.property('total', 1);
    });

    it('gives back a job that was removed as it was, and does not make it anew', async () => {
      const saved = await jobs.saveJob(aJob('gone'), undefined);
      await jobs.removeJobs({ id: given(saved._id) });
      expect(await jobs.saveJob({ ...saved, priority: 3 }, undefined)).to.include({ _id: saved._id, priority: 3 });
      expect(await jobs.queryJobs()).to.have.property('total', 0);
    });

    it('leaves alone what belongs to the worker', async () => {
      const saved = await jobs.saveJob(aJob('worked', { type: 'single' }), undefined);
      const state = {
        lastRunAt: ago(3_000),
        lastFinishedAt: ago(2_000),
        failedAt: ago(2_000),
        failCount: 3,
        failReason: 'no',
        progress: 40,
      };
      await jobs.saveJobState({ ...saved, ...state }, undefined);
      await jobs.saveJob(aJob('worked', { type: 'single', data: { new: true } }), undefined);
      expect(await jobs.getJobById(given(saved._id))).to.deep.include({ ...state, data: { new: true } });
    });
  });

  describe('saveJob of a single job', () => {
    const single = (more: object = {}) =>
      jobs.saveJob(aJob('tick', { type: 'single', repeatInterval: '1 hour', ...more }), undefined);

    it('keeps one job of a name, and none of a normal one', async () => {
      await jobs.saveJob(aJob('tick'), undefined);
      const first = await single({ data: { run: 1 } });
      const second = await single({ data: { run: 2 }, priority: 5 });
      expect(second).to.deep.include({ _id: first._id, data: { run: 2 }, priority: 5 });
      expect(await jobs.queryJobs({ name: 'tick' })).to.have.property('total', 2);
    });

    it('lets a due time stand before "now", and takes a later one', async () => {
      const nextRunAt = ahead(50_000);
      await single({ nextRunAt });
      expect(await single({ nextRunAt: ago(1) })).to.deep.include({ nextRunAt });
      const later = ahead(90_000);
      expect(await single({ nextRunAt: later })).to.deep.include({ nextRunAt: later });
    });

    it('does not lose the tick that has come and is not taken up yet', async () => {
      const nextRunAt = ago(200);
      await single({ nextRunAt, repeatInterval: '0 3 * * *' });
      expect(await single({ nextRunAt: ahead(86_400_000), repeatInterval: '0 3 * * *' })).to.deep.include({
        nextRunAt,
      });
    });

    it('takes "now" where the interval is another one', async () => {
      await single({ nextRunAt: ahead(3_600_000) });
      const now = ago(1);
      expect(await single({ nextRunAt: now, repeatInterval: '1 minute' })).to.deep.include({ nextRunAt: now });
    });

    it('does not end a pause', async () => {
      const { _id } = await single();
      await jobs.disableJobs({ name: 'tick' });
      await single();
      expect(await jobs.getJobById(given(_id))).to.include({ disabled: true });
      await single({ disabled: false });
      expect(given(await jobs.getJobById(given(_id))).disabled).to.not.equal(true);
    });

    it('is one job under 20 racers', async () => {
      const saved = await Promise.all(Array.from({ length: 20 }, (_, racer) => single({ data: { racer } })));
      expect(new Set(saved.map((job) => job._id)).size).to.equal(1);
      expect(await jobs.queryJobs({ name: 'tick' })).to.have.property('total', 1);
    });
  });

  describe('saveJob of a unique job', () => {
    const unique = (user: unknown, more: object = {}) =>
      jobs.saveJob(
        aJob('digest', { unique: { 'data.user': user, kind: 'daily' }, data: { user }, ...more }),
        undefined,
      );

    it('updates the one that is there, and only that one', async () => {
      const one = await unique(1);
      const two = await unique(2);
      const again = await unique(1, { priority: 7, nextRunAt: ahead(1_000) });
      expect(again).to.include({ _id: one._id, priority: 7 });
      expect(two._id).to.not.equal(one._id);
      expect(await jobs.queryJobs()).to.have.property('total', 2);
    });

    it('knows a constraint by its values, not by the order of its keys', async () => {
      const one = await unique(1);
      const again = await jobs.saveJob(aJob('digest', { unique: { kind: 'daily', 'data.user': 1 } }), undefined);
      expect(again._id).to.equal(one._id);
      expect(
        (await jobs.saveJob(aJob('other', { unique: { kind: 'daily', 'data.user': 1 } }), undefined))._id,
      ).to.not.equal(one._id);
    });

    it('with insertOnly leaves the one that is there', async () => {
      const one = await unique(1, { data: { first: true } });
      const again = await unique(1, { data: { first: false }, priority: 9, uniqueOpts: { insertOnly: true } });
      expect(again).to.deep.include({ _id: one._id, data: { first: true } });
      expect(await jobs.getJobById(given(one._id))).to.deep.include({ priority: 0, data: { first: true } });
    });

    it('is one job under 20 racers', async () => {
      const saved = await Promise.all(Array.from({ length: 20 }, () => unique('same')));
      expect(new Set(saved.map((job) => job._id)).size).to.equal(1);
      expect(await jobs.queryJobs()).to.have.property('total', 1);
    });

    it('refuses a query operator', async () => {
      const saved = await jobs
        .saveJob(aJob('digest', { unique: { user: { $gt: 1 } } }), undefined)
        .catch((error: unknown) => error);
      expect(saved).to.be.instanceOf(Error);
    });
  });

  describe('saveJob of a debounced job', () => {
    const debounced = (debounce: object, more: object = {}) =>
      jobs.saveJob(
        aJob('index', { unique: { entity: 1 }, uniqueOpts: { debounce: { delay: 60_000, ...debounce } }, ...more }),
        undefined,
      );
    const due = (job: { nextRunAt: Date | null }) => given(job.nextRunAt).getTime();

    it('runs after the last save by its delay', async () => {
      const start = Date.now();
      const first = await debounced({});
      expect(due(first)).to.be.at.least(start + 60_000);
      const second = await debounced({ delay: 120_000 }, { data: { last: true } });
      expect(second).to.deep.include({ _id: first._id, data: { last: true } });
      expect(due(second)).to.be.at.least(start + 120_000);
      expect(second.debounceStartedAt).to.deep.equal(first.debounceStartedAt);
    });

    it('runs at once when it was put off for as long as maxWait', async () => {
      await debounced({ maxWait: 1 });
      await pause(5);
      expect(due(await debounced({ maxWait: 1 }))).to.be.at.most(Date.now());
    });

    it('leading: keeps the first due time, and takes the last data', async () => {
      const first = await debounced({ strategy: 'leading' }, { nextRunAt: ago(5) });
      const second = await debounced({ strategy: 'leading' }, { data: { last: true } });
      expect(second).to.deep.include({ _id: first._id, nextRunAt: first.nextRunAt, data: { last: true } });
    });

    it('opens another window after the run', async () => {
      const first = await debounced({ strategy: 'leading', delay: 1 });
      await jobs.saveJobState({ ...first, nextRunAt: null, lastRunAt: ago(0), lastFinishedAt: ago(0) }, undefined);
      await pause(5);
      const again = ago(0);
      expect(await debounced({ strategy: 'leading', delay: 1 }, { nextRunAt: again })).to.deep.include({
        nextRunAt: again,
      });
    });

    it('is an ordinary job without a unique constraint', async () => {
      const nextRunAt = ago(5);
      const job = aJob('index', { uniqueOpts: { debounce: { delay: 60_000 } }, nextRunAt });
      expect(await jobs.saveJob(job, undefined)).to.deep.include({ nextRunAt });
    });
  });

  describe('getJobById, getDistinctJobNames, getQueueSize, getJobsOverview', () => {
    it('know nothing of no jobs', async () => {
      const { _id } = await jobs.saveJob(aJob('gone'), undefined);
      expect(await jobs.purgeAllJobs()).to.equal(1);
      expect(await jobs.getJobById(given(_id))).to.equal(null);
      expect(await jobs.getDistinctJobNames()).to.deep.equal([]);
      expect(await jobs.getQueueSize()).to.equal(0);
      expect(await jobs.getJobsOverview()).to.deep.equal([]);
    });

    it('tell names once, and what is due', async () => {
      for (const name of ['b', 'a', 'b']) await jobs.saveJob(aJob(name), undefined);
      await jobs.saveJob(aJob('c', { nextRunAt: ahead(60_000) }), undefined);
      await jobs.saveJob(aJob('c', { nextRunAt: null }), undefined);
      expect(await jobs.getDistinctJobNames()).to.have.members(['a', 'b', 'c']);
      expect(await jobs.getQueueSize()).to.equal(3);
    });

    it('count a name’s jobs by state', async () => {
      await inEveryState(jobs);
      const [overview, ...others] = await jobs.getJobsOverview();
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
      const { jobs: page, total } = await jobs.queryJobs(options);
      return { labels: page.map(({ data }) => labelOf(data)), total };
    };
    const labels = async (options: JobsQueryOptions) => (await found(options)).labels;

    async function three(): Promise<void> {
      const save = (name: string, priority: number, minutes: number, data: object, more: object = {}) =>
        jobs.saveJob(aJob(name, { priority, nextRunAt: ahead(minutes * 60_000), data, ...more }), undefined);
      await save('Mail.send', 10, 1, { label: 'one', to: { city: 'Bern', zip: 3000 } });
      await save('sms.send', 5, 2, { label: 'two', to: { city: 'Basel' } });
      await save('Mail.send', 15, 3, { label: 'three', to: { city: 'bern' } }, { disabled: true });
    }

    it('answers all jobs, the latest due first', async () => {
      await three();
      expect(await found({})).to.deep.equal({ labels: ['three', 'two', 'one'], total: 3 });
    });

    it('filters by name, names, id, ids, words in the name, and data', async () => {
      await three();
      const [three3, two, one] = (await jobs.queryJobs()).jobs.map((job) => job._id);
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
      // Each field has its place in the order, wherever it was asked for.
      expect(await labels({ sort: { name: 'desc', priority: 'asc' } })).to.deep.equal(['two', 'one', 'three']);
    });

    it('pages, and counts what is on no page', async () => {
      await three();
      const sort = { nextRunAt: 'asc' } as const;
      expect(await found({ sort, limit: 2 })).to.deep.equal({ labels: ['one', 'two'], total: 3 });
      expect(await found({ sort, limit: 2, skip: 2 })).to.deep.equal({ labels: ['three'], total: 3 });
      expect(await found({ sort, skip: 1 })).to.deep.equal({ labels: ['two', 'three'], total: 3 });
      expect(await found({ sort, skip: 9, limit: 1 })).to.deep.equal({ labels: [], total: 3 });
    });

    it('filters and pages by state', async () => {
      await inEveryState(jobs);
      for (const state of ['running', 'failed', 'repeating', 'scheduled', 'queued', 'completed'] as const) {
        const { jobs: page, total } = await jobs.queryJobs({ state, limit: 5 });
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

  describe('removeJobs, disableJobs, enableJobs', () => {
    const save = async (name: string, data: object = {}) =>
      given((await jobs.saveJob(aJob(name, { data }), undefined))._id);

    it('choose by id, ids, name, names, all but names, and data', async () => {
      const [one, two] = [await save('a'), await save('a')];
      await save('b', { user: { id: 1 } });
      await save('c', { user: { id: 2 } });
      expect(await jobs.removeJobs({ data: { user: { id: 1 } } })).to.equal(1);
      expect(await jobs.removeJobs({ id: one, name: 'c' })).to.equal(0);
      expect(await jobs.removeJobs({ id: one })).to.equal(1);
      expect(await jobs.removeJobs({ ids: [one, two] })).to.equal(1);
      for (const name of ['d', 'e', 'f', 'f']) await save(name);
      expect(await jobs.removeJobs({ name: 'f' })).to.equal(2);
      expect(await jobs.removeJobs({ names: ['e', 'none'] })).to.equal(1);
      expect(await jobs.removeJobs({ notNames: ['c'] })).to.equal(1);
      expect(await jobs.getDistinctJobNames()).to.deep.equal(['c']);
    });

    it('change nothing where nothing was named', async () => {
      await save('kept');
      for (const options of [{}, { names: [] }, { notNames: [] }, { ids: [] }, { data: {} }, { id: 'nonsense' }]) {
        expect(await jobs.removeJobs(options)).to.equal(0);
        expect(await jobs.disableJobs(options)).to.equal(0);
      }
      expect(await jobs.queryJobs({ includeDisabled: false })).to.have.property('total', 1);
    });

    it('pause and resume, and count what changed', async () => {
      await save('a');
      await save('b');
      expect(await jobs.disableJobs({ names: ['a', 'b'] })).to.equal(2);
      expect(await jobs.disableJobs({ names: ['a', 'b'] })).to.equal(0);
      expect(await jobs.enableJobs({ name: 'a' })).to.equal(1);
      expect(await jobs.queryJobs({ includeDisabled: false })).to.have.property('total', 1);
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
