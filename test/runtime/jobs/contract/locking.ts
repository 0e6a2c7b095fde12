import { expect } from 'chai';
import { ago, ahead, aJob, clockErrorMs, given, usingWorkers, type Store } from '#test/runtime/jobs/support.js';

/** The contract of claims and locks of two processes. */
export function lockingContract(open: () => Promise<Store>): void {
  const at = usingWorkers(open);
  const { save, isLocked, claim, takeOver } = at;

  describe('getNextJobToRun', () => {
    it('locks jobs that are due or become due before the next scan', async () => {
      const id = await save({ data: { order: 1 } });
      const soon = await save({ nextRunAt: ahead(2_000) });
      await save({ nextRunAt: ahead(60_000) });
      await save({ nextRunAt: null });
      const first = given(await claim(at.mine));
      expect(first).to.deep.include({ _id: id, name: 'work', data: { order: 1 }, lastModifiedBy: 'a node' });
      expect(given(first.lockedAt).getTime()).to.be.within(Date.now() - 20_000, Date.now() + clockErrorMs);
      expect(await isLocked(id)).to.equal(true);
      expect(await claim(at.mine)).to.include({ _id: soon });
      expect(await claim(at.mine)).to.equal(undefined);
    });

    it('takes the earliest first, and the higher priority of equal ones', async () => {
      const nextRunAt = ago(5_000);
      const low = await save({ nextRunAt, priority: -10 });
      const high = await save({ nextRunAt, priority: 10 });
      const earlier = await save({ nextRunAt: ago(9_000), priority: -20 });
      const order = [await claim(at.mine), await claim(at.mine), await claim(at.mine)];
      expect(order.map((job) => job?._id)).to.deep.equal([earlier, high, low]);
    });

    it('ignores other names and disabled jobs', async () => {
      await at.mine.saveJob(aJob('other'), undefined);
      await save({ disabled: true });
      expect(await claim(at.mine)).to.equal(undefined);
    });

    it('gives a job to one of 40 concurrent claims', async () => {
      const ids = new Set<string>();
      for (let made = 0; made < 10; made += 1) ids.add(await save());
      const asked = await Promise.all(
        Array.from({ length: 40 }, (_, asker) => claim(asker % 2 === 0 ? at.mine : at.theirs)),
      );
      const got = asked.flatMap((job) => job?._id ?? []);
      expect(got).to.have.length(10);
      expect(new Set(got)).to.deep.equal(ids);
    });

    it('takes over an expired lock, and no other', async () => {
      const id = await save();
      await claim(at.mine);
      expect(await claim(at.theirs)).to.equal(undefined);
      expect(await takeOver(at.theirs)).to.include({ _id: id });
    });

    it('claims a one-off job again whose worker died after it started', async () => {
      const id = await save();
      const job = given(await claim(at.mine));
      await at.mine.saveJobState({ ...job, nextRunAt: null, lastRunAt: new Date() }, undefined);
      expect(await claim(at.theirs)).to.equal(undefined);
      expect(await takeOver(at.theirs)).to.include({ _id: id });
    });
  });

  describe('lockJob', () => {
    it('locks an unlocked job once', async () => {
      const saved = await at.mine.saveJob(aJob('work'), undefined);
      expect(given(await at.mine.lockJob(saved, undefined)).lockedAt).to.be.instanceOf(Date);
      expect(await at.mine.lockJob(saved, undefined)).to.equal(undefined);
      expect(await at.theirs.lockJob(saved, undefined)).to.equal(undefined);
    });

    it('refuses a job whose due time has changed, or that is disabled', async () => {
      const saved = await at.mine.saveJob(aJob('work'), undefined);
      await at.mine.saveJob({ ...saved, nextRunAt: ago(60_000) }, undefined);
      expect(await at.mine.lockJob(saved, undefined)).to.equal(undefined);
      const paused = await at.mine.saveJob(aJob('work', { disabled: true }), undefined);
      expect(await at.mine.lockJob(paused, undefined)).to.equal(undefined);
    });
  });

  describe('unlockJob, unlockJobs', () => {
    it('release a claimed job', async () => {
      const [one, two] = [await save(), await save()];
      const [first, second] = [given(await claim(at.mine)), given(await claim(at.mine))];
      await at.mine.unlockJob(first);
      await at.mine.unlockJobs([given(second._id)]);
      expect([await isLocked(one), await isLocked(two)]).to.deep.equal([false, false]);
      expect(await claim(at.theirs)).to.not.equal(undefined);
    });

    it('do nothing for an empty list and for removed jobs', async () => {
      await at.mine.unlockJobs([]);
      const saved = await at.mine.saveJob(aJob('work'), undefined);
      await at.mine.purgeAllJobs();
      await at.mine.unlockJob(saved);
      await at.mine.unlockJobs([given(saved._id)]);
    });

    it('never leave a started one-off job without lock and due time', async () => {
      const id = await save();
      const job = given(await claim(at.mine));
      const started = { ...job, nextRunAt: null, lastRunAt: new Date() };
      await at.mine.saveJobState(started, undefined);
      await at.mine.unlockJob(started);
      expect(await isLocked(id)).to.equal(true);
    });
  });
}
