import { expect } from 'chai';
import type { AgendaBackend } from 'agenda';
import { createLog, silentLog } from '#core/runtime/log.js';
import { releasingBackend } from '#core/runtime/jobs/release-on-stop.js';
import { startJobs, type Jobs, type JobsOptions, type RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { ago, ahead, aJob, errorOf, given, mysqlStore, until, type MysqlStore } from './support.js';

describe('recurring jobs', () => {
  let store: MysqlStore;
  let backend: AgendaBackend;
  let running: Jobs[] = [];

  before(async () => {
    store = await mysqlStore();
  });
  beforeEach(async () => {
    backend = await store.backend();
    await backend.repository.purgeAllJobs();
  });
  afterEach(async () => {
    await Promise.all(running.map((jobs) => jobs.stop()));
    running = [];
  });
  after(() => store.remove());

  async function start(jobs: readonly RecurringJob[], options: Partial<JobsOptions> = {}): Promise<Jobs> {
    const started = await startJobs({ backend, jobs, log: silentLog, pollMs: 50, ...options });
    running.push(started);
    return started;
  }
  const only = async (name: string) => given((await backend.repository.queryJobs({ name })).jobs[0]);

  it('run at intervals, the first time at once', async () => {
    let runs = 0;
    await start([{ name: 'tick', every: '0.1 seconds', run: async () => void (runs += 1) }]);
    await until(() => runs >= 3, 'it has run three times');
  });

  it('run in one process of two', async () => {
    let [now, most, runs] = [0, 0, 0];
    const run = async (): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now -= 1;
      runs += 1;
    };
    await start([{ name: 'tick', every: '0.1 seconds', run }]);
    await start([{ name: 'tick', every: '0.1 seconds', run }], { backend: await store.backend() });
    await until(() => runs >= 6, 'it has run six times');
    expect(most).to.equal(1);
  });

  for (const days of [-100, -1, 1, 100])
    it(`are due by the database’s clock, when it differs from the machine’s by ${days} days`, async () => {
      const offset = days * 86_400_000;
      const clock = { now: () => new Date(Date.now() + offset) };
      let runs = 0;
      await start([{ name: 'tick', every: '0.1 seconds', run: async () => void (runs += 1) }], { clock });
      await until(() => runs >= 3, 'it has run three times');
      const { nextRunAt, lockedAt } = await only('tick');
      const stored = given(nextRunAt).getTime() - Date.now() - offset;
      expect(stored, 'the stored due time').to.be.within(-60_000, 1_000);
      expect(lockedAt === undefined || Math.abs(lockedAt.getTime() - Date.now()) < 60_000).to.equal(true);
    });

  it('whose stored due time is further ahead than their interval come back', async () => {
    let runs = 0;
    const tick: RecurringJob = { name: 'tick', every: '1 hour', run: async () => void (runs += 1) };
    const first = await start([tick]);
    await until(() => runs === 1, 'it has run');
    await first.stop();
    await backend.repository.saveJob({ ...(await only('tick')), nextRunAt: ahead(100 * 86_400_000) }, undefined);
    await start([tick]);
    await until(() => runs === 2, 'it has run again');
    expect(given((await only('tick')).nextRunAt).getTime()).to.be.within(Date.now(), Date.now() + 3_600_000);
  });

  it('never store a due time further ahead than their interval, also where the clock is set back during a run', async () => {
    const state = { offset: 40 * 86_400_000 };
    const clock = { now: () => new Date(Date.now() + state.offset) };
    let runs = 0;
    const run = async (): Promise<void> => {
      runs += 1;
      state.offset = 0;
    };
    await start([{ name: 'tick', every: '1 hour', run }], { clock });
    await until(async () => runs === 1 && (await only('tick')).lockedAt === undefined, 'it has run');
    expect(given((await only('tick')).nextRunAt).getTime()).to.be.below(Date.now() + 3_601_000);
  });

  it('interpret cron expressions in UTC', async () => {
    await start([{ name: 'nightly', every: '30 3 * * *', run: async () => undefined }]);
    const next = given((await only('nightly')).nextRunAt);
    expect(next.toISOString()).to.match(/T03:30:00\.000Z$/);
    expect(next.getTime()).to.be.within(Date.now(), Date.now() + 86_400_000);
  });

  it('log a failure with the job’s name, and continue', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    let [failures, runs] = [0, 0];
    const fail = async (): Promise<void> => {
      failures += 1;
      throw new Error('out of paper');
    };
    await start(
      [
        { name: 'fails', every: '0.1 seconds', run: fail },
        { name: 'works', every: '0.1 seconds', run: async () => void (runs += 1) },
      ],
      { log },
    );
    await until(() => failures >= 2 && runs >= 2, 'both have run twice');
    expect(lines.some((line) => line.includes('"job":"fails"') && line.includes('out of paper'))).to.equal(true);
    expect(lines.some((line) => line.includes('"job":"works"'))).to.equal(false);
  });

  it('say by how many seconds they are late', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) };
    const jobs = await start([{ name: 'hourly', every: '1 hour', run: () => finished }], { clock });
    await until(async () => Boolean((await only('hourly')).lastRunAt), 'it has begun');
    expect(await jobs.lateness()).to.deep.equal(new Map([['hourly', 0]]));
    clock.ahead = 2 * 3_600_000;
    expect((await jobs.lateness()).get('hourly')).to.be.within(3_590, 3_610);
    finish();
  });

  it('renew the lock of a long run', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    await start([{ name: 'long', every: '1 hour', run: () => finished }], { lockMs: 900 });
    await until(async () => Boolean((await only('long')).lastRunAt), 'it has begun');
    const lockedAt = async () => given((await only('long')).lockedAt).getTime();
    const first = await lockedAt();
    await until(async () => (await lockedAt()) > first + 900, 'its lock was renewed beyond its life');
    finish();
    await until(async () => !(await only('long')).lockedAt, 'it was given back');
  });

  it('wait for running jobs at stop(), and start no more', async () => {
    let [begun, ended, ticks] = [0, 0, 0];
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow = async (): Promise<void> => {
      begun += 1;
      await finished;
      ended += 1;
    };
    const jobs = await start([
      { name: 'slow', every: '1 hour', run: slow },
      { name: 'tick', every: '0.1 seconds', run: async () => void (ticks += 1) },
    ]);
    await until(() => begun === 1 && ticks > 0, 'both have begun');
    const stopped = jobs.stop().then(() => ended);
    finish();
    expect(await stopped).to.equal(1);
    expect(await only('slow')).to.not.have.property('lockedAt');
    expect(await only('tick')).to.not.have.property('lockedAt');
    const before = ticks;
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(ticks).to.equal(before);
    await jobs.stop();
  });

  it('release jobs at stop() that were claimed in advance', async () => {
    const nextRunAt = ahead(20_000);
    await backend.repository.saveJob(aJob('soon', { type: 'single', repeatInterval: '1 hour', nextRunAt }), undefined);
    const jobs = await start([{ name: 'soon', every: '1 hour', run: async () => undefined }], { pollMs: 30_000 });
    await until(async () => Boolean((await only('soon')).lockedAt), 'it was claimed');
    await jobs.stop();
    expect(await only('soon')).to.deep.include({ nextRunAt, state: 'repeating' });
  });

  it('refuse two jobs of one name, and an invalid interval', async () => {
    const run = async (): Promise<void> => undefined;
    const twins = await errorOf(
      start([
        { name: 'same', every: '1 minute', run },
        { name: 'same', every: '2 minutes', run },
      ]),
    );
    expect(twins.message).to.contain('"same"');
    for (const every of ['now and then', 'every hour', 'hourly-ish', '0 minutes', '61 * * * *']) {
      const unread = await errorOf(start([{ name: 'unread', every, run }]));
      expect(unread.message).to.contain('"unread"').and.to.contain(`"${every}"`);
    }
    expect(await backend.repository.getDistinctJobNames()).to.deep.equal([]);
  });

  it('never reject when unlocking, because Agenda does not catch it', async () => {
    const failing: AgendaBackend = {
      ...backend,
      repository: { ...backend.repository, unlockJob: () => Promise.reject(new Error('away')) },
    };
    const reported: unknown[] = [];
    const accountable = releasingBackend(failing, (error) => reported.push(error));
    await backend.repository.saveJob(aJob('work'), undefined);
    const job = given(
      await accountable.repository.getNextJobToRun('work', new Date(), ago(60_000), undefined, undefined),
    );
    await accountable.repository.unlockJob(job);
    expect(reported).to.have.length(1);
  });
});
