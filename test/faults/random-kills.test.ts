import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { runFaults } from './random-kills/run.js';

describe('Random kills under a mixed load (npm run faults)', function () {
  this.timeout(300_000);
  needProducts('audience', 'auth', 'billing', 'email', 'sms');
  const folders: string[] = [];
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  // The seed chooses both nodes, the worker, a SIGTERM, one node and the database.
  it('5 kills: every promise is kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-'));
    folders.push(folder);
    const lines: string[] = [];
    const summary = await runFaults({ kills: 5, seed: 1291, folder, say: (line) => void lines.push(line) });
    expect(summary.violations, lines.join('\n')).to.deep.equal([]);
    expect(summary.kills).to.equal(5);
    expect(summary.arrivals.mails).to.be.above(100);
    expect(summary.arrivals.texts).to.be.above(5);
    expect(summary.arrivals.webhooks).to.be.above(500);
  });
});
