import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Agenda, type AgendaOptions } from 'agenda';
import { given, until, type Store } from '#test/runtime/jobs/support.js';

/** The behaviour of two Agenda processes on one backend. */
export function agendaContract(open: () => Promise<Store>): void {
  let store: Store;
  let started: Agenda[] = [];

  before(async () => {
    store = await open();
  });
  afterEach(async () => {
    await Promise.all(started.map((agenda) => agenda.drain({ timeout: 5_000, closeConnection: false })));
    await started[0]?.cancelAll();
    started = [];
  });
  after(() => store.remove());

  async function anAgenda(options: Partial<AgendaOptions> = {}): Promise<Agenda> {
    const agenda = new Agenda({ backend: await store.backend(), processEvery: 50, ...options });
    started.push(agenda);
    await agenda.ready;
    return agenda;
  }

  const isOver = async (agenda: Agenda): Promise<boolean> => {
    const { jobs } = await agenda.queryJobs();
    return jobs.every((job) => job.nextRunAt === null && !job.lockedAt);
  };

  it('runs each of 100 one-off jobs exactly once', async () => {
    const [one, two] = [await anAgenda({ processEvery: 250 }), await anAgenda({ processEvery: 250 })];
    const runs: string[] = [];
    for (const agenda of [one, two]) {
      agenda.define<{ id: number }>('once', async (job) => void runs.push(String(job.attrs.data.id)), {
        concurrency: 10,
      });
      await agenda.start();
    }
    await Promise.all(Array.from({ length: 100 }, (_, id) => (id % 2 === 0 ? one : two).now('once', { id })));
    await until(() => runs.length >= 100, 'all have run');
    await until(() => isOver(one), 'all were given back');
    expect(new Set(runs).size).to.equal(100);
    expect(runs).to.have.length(100);
  });

  it('runs a recurring job in one process at a time while another calls every() again', async () => {
    const [one, two] = [await anAgenda(), await anAgenda()];
    let [running, most, runs] = [0, 0, 0];
    for (const agenda of [one, two]) {
      agenda.define('tick', async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.all([one.every(100, 'tick'), two.every(100, 'tick')]);
        running -= 1;
        runs += 1;
      });
      await agenda.every(100, 'tick');
      await agenda.start();
    }
    await until(() => runs >= 6, 'it has run six times');
    expect(most).to.equal(1);
    expect(await one.queryJobs({ name: 'tick' })).to.have.property('total', 1);
  });

  it('retries a failed job as often as configured', async () => {
    const agenda = await anAgenda();
    let runs = 0;
    const fail = async (): Promise<void> => {
      runs += 1;
      if (runs < 3) throw new Error('not yet');
    };
    agenda.define('flaky', fail, { backoff: () => 10 });
    await agenda.start();
    const job = await agenda.now('flaky');
    await until(() => runs === 3, 'it has run three times');
    await until(() => isOver(agenda), 'it is over');
    expect(await agenda.db.getJobById(String(job.attrs._id))).to.include({ failCount: 0, failReason: 'not yet' });
  });

  it('runs the job of a killed process again after its lock has expired', async () => {
    const agenda = await anAgenda();
    await agenda.now('killed');
    const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
    const worker = spawn(
      process.execPath,
      ['--conditions=svc-source', '--import', 'tsx', program, ...store.workerArguments],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    try {
      await once(given(worker.stdout), 'data');
    } finally {
      worker.kill('SIGKILL');
    }
    const began = given((await agenda.queryJobs({ name: 'killed' })).jobs[0]);
    expect(began).to.include({ state: 'running', nextRunAt: null });
    let runs = 0;
    agenda.define('killed', async () => void (runs += 1), { lockLifetime: 1_000 });
    await agenda.start();
    await until(() => runs > 0, 'it has run again');
    await until(() => isOver(agenda), 'it is over');
    expect(runs).to.equal(1);
  });
}
