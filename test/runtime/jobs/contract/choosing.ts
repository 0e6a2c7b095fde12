import { expect } from 'chai';
import { aJob, given, usingStore, type Store } from '#test/runtime/jobs/support.js';

/** The contract of removing, disabling and enabling jobs. */
export function choosingContract(open: () => Promise<Store>): void {
  const at = usingStore(open);

  describe('removeJobs, disableJobs, enableJobs', () => {
    const save = async (name: string, data: object = {}) =>
      given((await at.jobs.saveJob(aJob(name, { data }), undefined))._id);

    it('select by id, ids, name, names, excluded names, and data', async () => {
      const [one, two] = [await save('a'), await save('a')];
      await save('b', { user: { id: 1 } });
      await save('c', { user: { id: 2 } });
      expect(await at.jobs.removeJobs({ data: { user: { id: 1 } } })).to.equal(1);
      expect(await at.jobs.removeJobs({ id: one, name: 'c' })).to.equal(0);
      expect(await at.jobs.removeJobs({ id: one })).to.equal(1);
      expect(await at.jobs.removeJobs({ ids: [one, two] })).to.equal(1);
      for (const name of ['d', 'e', 'f', 'f']) await save(name);
      expect(await at.jobs.removeJobs({ name: 'f' })).to.equal(2);
      expect(await at.jobs.removeJobs({ names: ['e', 'none'] })).to.equal(1);
      expect(await at.jobs.removeJobs({ notNames: ['c'] })).to.equal(1);
      expect(await at.jobs.getDistinctJobNames()).to.deep.equal(['c']);
    });

    it('change nothing without a selection', async () => {
      await save('kept');
      for (const options of [{}, { names: [] }, { notNames: [] }, { ids: [] }, { data: {} }, { id: 'nonsense' }]) {
        expect(await at.jobs.removeJobs(options)).to.equal(0);
        expect(await at.jobs.disableJobs(options)).to.equal(0);
      }
      expect(await at.jobs.queryJobs({ includeDisabled: false })).to.have.property('total', 1);
    });

    it('disable and enable, and count the changes', async () => {
      await save('a');
      await save('b');
      expect(await at.jobs.disableJobs({ names: ['a', 'b'] })).to.equal(2);
      expect(await at.jobs.disableJobs({ names: ['a', 'b'] })).to.equal(0);
      expect(await at.jobs.enableJobs({ name: 'a' })).to.equal(1);
      expect(await at.jobs.queryJobs({ includeDisabled: false })).to.have.property('total', 1);
    });
  });
}
