import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { ahead, aJob, errorOf, given, usingWorkers, withoutLock, type Store } from '#test/runtime/jobs/support.js';

/** The contract of saving a locked job, and of a worker that has lost its lock. */
export function holdingContract(open: () => Promise<Store>): void {
  const at = usingWorkers(open);
  const { save, read, isLocked, claim, takeOver } = at;

  describe('saveJobState', () => {
    it('saves a run from claim to end', async () => {
      const id = await save();
      const job = given(await claim(at.mine));
      const [lastRunAt, nextRunAt] = [new Date(), ahead(60_000)];
      await at.mine.saveJobState({ ...job, lastRunAt, nextRunAt, progress: 50 }, { lastModifiedBy: 'worker' });
      expect(await read(id)).to.deep.include({ lastRunAt, nextRunAt, progress: 50, lastModifiedBy: 'worker' });
      expect(await isLocked(id)).to.equal(true);
      const ended = withoutLock({ ...job, lastRunAt, nextRunAt, lastFinishedAt: new Date(), failCount: 0 });
      await at.mine.saveJobState(ended, undefined);
      expect(await read(id)).to.deep.include({ lastFinishedAt: ended.lastFinishedAt, failCount: 0, nextRunAt });
      expect(await isLocked(id)).to.equal(false);
    });

    it('renews the lock', async () => {
      const id = await save();
      const job = given(await claim(at.mine));
      const before = given((await read(id)).lockedAt);
      await pause(5);
      await at.mine.saveJobState({ ...job, lockedAt: new Date() }, undefined);
      expect(given((await read(id)).lockedAt).getTime()).to.be.above(before.getTime());
    });

    it('refuses a job without an id, and one that was removed', async () => {
      await errorOf(at.mine.saveJobState(aJob('work'), undefined));
      const saved = await at.mine.saveJob(aJob('work'), undefined);
      await at.mine.purgeAllJobs();
      await errorOf(at.mine.saveJobState(saved, undefined));
    });

    it('keeps a due time that was set while the job ran', async () => {
      const id = await save({ unique: { one: 1 } });
      const job = given(await claim(at.mine));
      const started = { ...job, nextRunAt: null, lastRunAt: new Date() };
      await at.mine.saveJobState(started, undefined);
      const wanted = ahead(30_000);
      await at.theirs.saveJob(aJob('work', { unique: { one: 1 }, nextRunAt: wanted }), undefined);
      const ended = withoutLock({ ...started, lastFinishedAt: new Date() });
      await at.mine.saveJobState(ended, undefined);
      expect(await read(id)).to.deep.include({ nextRunAt: wanted, lastFinishedAt: ended.lastFinishedAt });
    });
  });

  describe('a worker whose lock was taken over', () => {
    async function overtaken() {
      const id = await save({ repeatInterval: '1 minute' });
      const stale = given(await claim(at.mine));
      // A lock is never taken over in the millisecond of its creation.
      await pause(5);
      const owner = given(await takeOver(at.theirs));
      return { id, stale, owner };
    }

    it('changes nothing with any save', async () => {
      const { id, stale, owner } = await overtaken();
      const before = await read(id);
      const ended = withoutLock({
        ...stale,
        nextRunAt: ahead(9_000),
        lastFinishedAt: new Date(),
        failCount: 7,
      });
      await errorOf(at.mine.saveJobState(ended, undefined));
      await errorOf(at.mine.saveJobState({ ...stale, lockedAt: new Date(), progress: 10 }, undefined));
      await errorOf(at.mine.saveJob({ ...stale, data: { stale: true } }, undefined));
      await at.mine.unlockJob(stale);
      expect(await read(id)).to.deep.equal(before);
      await at.theirs.saveJobState({ ...owner, progress: 20 }, undefined);
      expect(await read(id)).to.include({ progress: 20 });
    });

    it('changes nothing after the new owner has ended either', async () => {
      const { id, stale, owner } = await overtaken();
      const ended = withoutLock({ ...owner, lastFinishedAt: new Date(), nextRunAt: ahead(60_000) });
      await at.theirs.saveJobState(ended, undefined);
      const before = await read(id);
      await errorOf(at.mine.saveJobState({ ...stale, progress: 10 }, undefined));
      expect(await read(id)).to.deep.equal(before);
    });
  });

  describe('a second process’s every()', () => {
    it('does not clear the lock of a running job', async () => {
      const tick = aJob('work', { type: 'single', repeatInterval: '1 minute' });
      const { _id } = await at.mine.saveJob(tick, undefined);
      const job = given(await claim(at.mine));
      const started = { ...job, lastRunAt: new Date(), nextRunAt: ahead(60_000) };
      await at.mine.saveJobState(started, undefined);
      const before = await read(given(_id));
      await at.theirs.saveJob({ ...tick, nextRunAt: new Date() }, undefined);
      const { lockedAt, lastRunAt, nextRunAt } = before;
      expect(await read(given(_id))).to.deep.include({ lockedAt, lastRunAt, nextRunAt });
      expect(await claim(at.theirs)).to.equal(undefined);
      await at.mine.saveJobState({ ...started, progress: 1 }, undefined);
    });
  });
}
