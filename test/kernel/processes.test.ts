import { cpus, totalmem } from 'node:os';
import { expect } from 'chai';
import { readSettings } from '#config/read.js';
import { coreSettings } from '#core/kernel/settings.js';
import { automaticCount, processesOf, quotaOf, thisMachine, type Machine } from '#core/platform/processes.js';

const gib = 2 ** 30;

describe('The number of processes', () => {
  const of = (settings: Readonly<Record<string, string>>, machine: Machine = { cores: 16, memoryBytes: 64 * gib }) =>
    processesOf(readSettings(coreSettings, [], settings), () => machine);
  const production = { SVC_BASE_URL: 'https://svc.example.com' };

  it('is 1, in production one for each core, and otherwise what SVC_PROCESSES says', () => {
    expect(of({}).count).to.equal(1);
    expect(of({ SVC_BASE_URL: 'http://localhost:8080' }).count).to.equal(1);
    expect(of(production).count).to.equal(16);
    expect(of({ ...production, SVC_PROCESSES: '3' }).count).to.equal(3);
    expect(of({ SVC_PROCESSES: 'auto' }).count).to.equal(16);
  });

  it('fits the cores and the memory of the machine or its container', () => {
    expect(automaticCount({ cores: 2, memoryBytes: Infinity })).to.equal(2);
    expect(automaticCount({ cores: 2.5, memoryBytes: Infinity })).to.equal(2);
    expect(automaticCount({ cores: 0.5, memoryBytes: Infinity })).to.equal(1);
    expect(automaticCount({ cores: 64, memoryBytes: Infinity })).to.equal(16);
    expect(automaticCount({ cores: 16, memoryBytes: 2 * gib })).to.equal(4);
    expect(automaticCount({ cores: 16, memoryBytes: gib / 4 })).to.equal(1);
    expect([quotaOf('250000 100000\n'), quotaOf('max 100000\n'), quotaOf(undefined)]).to.deep.equal([
      2.5,
      Infinity,
      Infinity,
    ]);
  });

  it('knows the machine it runs on', () => {
    const { cores, memoryBytes } = thisMachine();
    expect(cores).to.be.above(0).and.at.most(cpus().length);
    expect(memoryBytes)
      .to.be.above(gib / 8)
      .and.at.most(totalmem());
  });

  it('divides the database connections so that MySQL accepts them all', () => {
    const poolOf = (count: number): number => of({ SVC_PROCESSES: String(count) }).poolSize;
    expect([1, 2, 5, 6, 8, 16].map(poolOf)).to.deep.equal([20, 20, 20, 16, 12, 6]);
    expect(poolOf(99), 'a process cannot work with fewer').to.equal(4);
    expect(of({ SVC_PROCESSES: '16', SVC_DATABASE_POOL: '30' }).poolSize).to.equal(30);
  });
});
