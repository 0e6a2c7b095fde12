import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { AgendaBackend, JobParameters, JobRepository } from 'agenda';
import { ago, ahead, aJob, errorOf, given, type Store } from './support.js';

/** What a repository promises of locks, with two processes at it. */
export function lockContract(open: () => Promise<Store>): void {
  let store: Store;
  let mine: JobRepository;
  let theirs: JobRepository;

  before(async () => {
    store = await open();
    const backends: AgendaBackend[] = [await store.backend(), await store.backend()];
    [mine, theirs] = [given(backends[0]).repository, given(backends[1]).repository];
  });
  beforeEach(() => mine.purgeAllJobs());
  after(() => store.remove());

  const save = async (more: Partial<JobParameters> = {}) =>
    given((await mine.saveJob(aJob('work', more), undefined))._id);
  const read = async (id: string) => given(await mine.getJobById(id));
  const isLocked = async (id: string) => Boolean((await read(id)).lockedAt);

  /** Claims as Agenda does at a scan that looks 5 s ahead, with locks that live for ten minutes. */
  const claim = (jobs: JobRepository, lockLifeMs = 600_000) =>
    jobs.getNextJobToRun('work', ahead(5_000), ago(lockLifeMs), undefined, { lastModifiedBy: 'a node' });
  /** Claims what is locked too, as if every lock had run out. */
  const takeOver = (jobs: JobRepository) => claim(jobs, -60_000);

  describe('getNextJobToRun', () => {
    it('locks what is due, and what falls due before the next scan', async () => {
      const id = await save({ data: { order: 1 } });
      const soon = await save({ nextRunAt: ahead(2_000) });
      await save({ nextRunAt: ahead(60_000) });
      await save({ nextRunAt: null });
      const first = given(await claim(mine));
      expect(first).to.deep.include({ _id: id, name: 'work', data: { order: 1 }, lastModifiedBy: 'a node' });
      expect(given(first.lockedAt).getTime()).to.be.within(Date.now() - 20_000, Date.now());
      expect(await isLocked(id)).to.equal(true);
      expect(await claim(mine)).to.include({ _id: soon });
      expect(await claim(mine)).to.equal(undefined);
    });

    it('takes the earliest first, and of equals the one of higher priority', async () => {
      const nextRunAt = ago(5_000);
      const low = await save({ nextRunAt, priority: -10 });
      const high = await save({ nextRunAt, priority: 10 });
      const earlier = await save({ nextRunAt: ago(9_000), priority: -20 });
      const order = [await claim(mine), await claim(mine), await claim(mine)];
      expect(order.map((job) => job?._id)).to.deep.equal([earlier, high, low]);
    });

    it('passes over other names, and what is paused', async () => {
      await mine.saveJob(aJob('other'), undefined);
      await save({ disabled: true });
      expect(await claim(mine)).to.equal(undefined);
    });

    it('gives a job to one of 40 askers', async () => {
      const ids = new Set<string>();
      for (let made = 0; made < 10; made += 1) ids.add(await save());
      const asked = await Promise.all(Array.from({ length: 40 }, (_, asker) => claim(asker % 2 === 0 ? mine : theirs)));
      const got = asked.flatMap((job) => job?._id ?? []);
      expect(got).to.have.length(10);
      expect(new Set(got)).to.deep.equal(ids);
    });

    it('takes a lock over that has run out, and no other', async () => {
      const id = await save();
      await claim(mine);
      expect(await claim(theirs)).to.equal(undefined);
      expect(await takeOver(theirs)).to.include({ _id: id });
    });

    it('brings back a one-off whose worker died after its start', async () => {
      const id = await save();
      const job = given(await claim(mine));
      await mine.saveJobState({ ...job, nextRunAt: null, lastRunAt: new Date() }, undefined);
      expect(await claim(theirs)).to.equal(undefined);
      expect(await takeOver(theirs)).to.include({ _id: id });
    });
  });

  describe('lockJob', () => {
    it('locks a job that nobody holds, once', async () => {
      const saved = await mine.saveJob(aJob('work'), undefined);
      expect(given(await mine.lockJob(saved, undefined)).lockedAt).to.be.instanceOf(Date);
      expect(await mine.lockJob(saved, undefined)).to.equal(undefined);
      expect(await theirs.lockJob(saved, undefined)).to.equal(undefined);
    });

    it('refuses a job whose due time is another by now, or that is paused', async () => {
      const saved = await mine.saveJob(aJob('work'), undefined);
      await mine.saveJob({ ...saved, nextRunAt: ago(60_000) }, undefined);
      expect(await mine.lockJob(saved, undefined)).to.equal(undefined);
      const paused = await mine.saveJob(aJob('work', { disabled: true }), undefined);
      expect(await mine.lockJob(paused, undefined)).to.equal(undefined);
    });
  });

  describe('unlockJob, unlockJobs', () => {
    it('give back what was claimed', async () => {
      const [one, two] = [await save(), await save()];
      const [first, second] = [given(await claim(mine)), given(await claim(mine))];
      await mine.unlockJob(first);
      await mine.unlockJobs([given(second._id)]);
      expect([await isLocked(one), await isLocked(two)]).to.deep.equal([false, false]);
      expect(await claim(theirs)).to.not.equal(undefined);
    });

    it('do nothing for no jobs and for jobs that are gone', async () => {
      await mine.unlockJobs([]);
      const saved = await mine.saveJob(aJob('work'), undefined);
      await mine.purgeAllJobs();
      await mine.unlockJob(saved);
      await mine.unlockJobs([given(saved._id)]);
    });

    it('never leave a one-off that was started without a lock and without a due time', async () => {
      const id = await save();
      const job = given(await claim(mine));
      const started = { ...job, nextRunAt: null, lastRunAt: new Date() };
      await mine.saveJobState(started, undefined);
      await mine.unlockJob(started);
      expect(await isLocked(id)).to.equal(true);
    });
  });

  describe('saveJobState', () => {
    it('saves a run from its claim to its end', async () => {
      const id = await save();
      const job = given(await claim(mine));
      const [lastRunAt, nextRunAt] = [new Date(), ahead(60_000)];
      await mine.saveJobState({ ...job, lastRunAt, nextRunAt, progress: 50 }, { lastModifiedBy: 'worker' });
      expect(await read(id)).to.deep.include({ lastRunAt, nextRunAt, progress: 50, lastModifiedBy: 'worker' });
      expect(await isLocked(id)).to.equal(true);
      const { lockedAt: _given, ...ended } = { ...job, lastRunAt, nextRunAt, lastFinishedAt: new Date(), failCount: 0 };
      await mine.saveJobState(ended, undefined);
      expect(await read(id)).to.deep.include({ lastFinishedAt: ended.lastFinishedAt, failCount: 0, nextRunAt });
      expect(await isLocked(id)).to.equal(false);
    });

    it('renews the lock', async () => {
      const id = await save();
      const job = given(await claim(mine));
      const before = given((await read(id)).lockedAt);
      await pause(5);
      await mine.saveJobState({ ...job, lockedAt: new Date() }, undefined);
      expect(given((await read(id)).lockedAt).getTime()).to.be.above(before.getTime());
    });

    it('refuses a job without an id, and one that was removed', async () => {
      await errorOf(mine.saveJobState(aJob('work'), undefined));
      const saved = await mine.saveJob(aJob('work'), undefined);
      await mine.purgeAllJobs();
      await errorOf(mine.saveJobState(saved, undefined));
    });

    it('keeps a due time that was set while the job ran', async () => {
      const id = await save({ unique: { one: 1 } });
      const job = given(await claim(mine));
      const started = { ...job, nextRunAt: null, lastRunAt: new Date() };
      await mine.saveJobState(started, undefined);
      const wanted = ahead(30_000);
      await theirs.saveJob(aJob('work', { unique: { one: 1 }, nextRunAt: wanted }), undefined);
      const { lockedAt: _given, ...ended } = { ...started, lastFinishedAt: new Date() };
      await mine.saveJobState(ended, undefined);
      expect(await read(id)).to.deep.include({ nextRunAt: wanted, lastFinishedAt: ended.lastFinishedAt });
    });
  });

  describe('a worker whose lock was taken over', () => {
    async function overtaken() {
      const id = await save({ repeatInterval: '1 minute' });
      const stale = given(await claim(mine));
      // Nobody takes a lock over in the millisecond in which it was made.
      await pause(5);
      const owner = given(await takeOver(theirs));
      return { id, stale, owner };
    }

    it('changes nothing by any save', async () => {
      const { id, stale, owner } = await overtaken();
      const before = await read(id);
      const { lockedAt: _given, ...ended } = {
        ...stale,
        nextRunAt: ahead(9_000),
        lastFinishedAt: new Date(),
        failCount: 7,
      };
      await errorOf(mine.saveJobState(ended, undefined));
      await errorOf(mine.saveJobState({ ...stale, lockedAt: new Date(), progress: 10 }, undefined));
      await errorOf(mine.saveJob({ ...stale, data: { stale: true } }, undefined));
      await mine.unlockJob(stale);
      expect(await read(id)).to.deep.equal(before);
      await theirs.saveJobState({ ...owner, progress: 20 }, undefined);
      expect(await read(id)).to.include({ progress: 20 });
    });

    it('changes nothing after the new owner has ended either', async () => {
      const { id, stale, owner } = await overtaken();
      const { lockedAt: _given, ...ended } = { ...owner, lastFinishedAt: new Date(), nextRunAt: ahead(60_000) };
      await theirs.saveJobState(ended, undefined);
      const before = await read(id);
      await errorOf(mine.saveJobState({ ...stale, progress: 10 }, undefined));
      expect(await read(id)).to.deep.equal(before);
    });
  });

  describe('a second process’s every()', () => {
    it('does not clear a held lock', async () => {
      const tick = aJob('work', { type: 'single', repeatInterval: '1 minute' });
      const { _id } = await mine.saveJob(tick, undefined);
      const job = given(await claim(mine));
      const started = { ...job, lastRunAt: new Date(), nextRunAt: ahead(60_000) };
      await mine.saveJobState(started, undefined);
      const before = await read(given(_id));
      await theirs.saveJob({ ...tick, nextRunAt: new Date() }, undefined);
      const { lockedAt, lastRunAt, nextRunAt } = before;
      expect(await read(given(_id))).to.deep.include({ lockedAt, lastRunAt, nextRunAt });
      expect(await claim(theirs)).to.equal(undefined);
      await mine.saveJobState({ ...started, progress: 1 }, undefined);
    });
  });
}
