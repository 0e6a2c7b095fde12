import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { mongoJobs, mysqlJobs } from '#core/runtime/jobs/backend.js';
import { errorOf, given, mysqlStore, type MysqlStore } from './support.js';

describe('SVC_JOBS_URL', () => {
  let store: MysqlStore;
  before(async () => {
    store = await mysqlStore();
  });
  after(() => store.remove());

  const open = (jobsUrl: string | undefined) =>
    jobsUrl === undefined ? mysqlJobs(store.database) : mongoJobs(jobsUrl);

  it('unset stores the jobs in MySQL', async () => {
    expect(await open(undefined)).to.include({ name: 'MySQL', ownsConnection: false });
  });

  it('of another scheme is refused, with a fix and without its secrets', async () => {
    for (const url of [
      'redis://someone:hushhush@127.0.0.1/0',
      'hushhush',
      '',
      'mysql:hushhush',
      'xmongodb://hushhush',
    ]) {
      const { message } = await errorOf(open(url));
      expect(message).to.match(/^SVC_JOBS_URL /);
      expect(message).to.contain('mongodb+srv://').and.to.contain('unset');
      expect(message).to.not.contain('hushhush');
    }
    expect((await errorOf(open('redis://127.0.0.1'))).message).to.contain('redis://');
  });

  it('that cannot be read is refused without its secrets', async () => {
    const urls = [
      'mongodb://someone:hushhush@',
      'mongodb://someone:hush/hushhush@127.0.0.1/x',
      'mongodb://a:hushhush@127.0.0.1/x?noSuchOption=hushhush',
    ];
    for (const url of urls) {
      const error = await errorOf(open(url));
      expect(error.message).to.match(/^SVC_JOBS_URL /);
      expect(`${error.message} ${String(error.stack)} ${JSON.stringify(error)}`).to.not.contain('hushhush');
    }
  });

  it('of an unreachable or silent server fails after 5 s, without its secrets', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const isAddress = (value: unknown): value is AddressInfo =>
      typeof value === 'object' && value !== null && 'port' in value;
    const address: unknown = silent.address();
    const { port } = given(isAddress(address) ? address : undefined);
    const start = Date.now();
    const errors = await Promise.all([
      errorOf(open('mongodb://someone:hushhush@127.0.0.1:1/svc')),
      errorOf(open(`mongodb://someone:hushhush@127.0.0.1:${port}/svc`)),
    ]);
    silent.close();
    expect(Date.now() - start).to.be.below(15_000);
    for (const { message } of errors) {
      expect(message).to.match(/^SVC_JOBS_URL names a MongoDB that cannot be used: /);
      expect(message).to.contain('unset').and.to.not.contain('hushhush');
    }
  });
});
