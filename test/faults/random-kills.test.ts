import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { runFaults } from './random-kills/run.js';

describe('Random kills under a mixed load (npm run faults)', function () {
  this.timeout(600_000);
  needProducts('audience', 'auth', 'billing', 'email', 'sms');
  const place = { folder: '' };
  before(async () => (place.folder = await mkdtemp(join(tmpdir(), 'svc-faults-'))));
  after(() => rm(place.folder, { recursive: true, force: true, maxRetries: 5 }));
  const lines: string[] = [];
  const run = (kills: number): ReturnType<typeof runFaults> =>
    runFaults({ kills, seed: 1291, folder: place.folder, say: (line) => void lines.push(line) });

  // The seed chooses both nodes, the worker, a SIGTERM, one node and the database.
  it('5 kills: every promise is kept', async () => {
    const summary = await run(5);
    expect(summary.violations, lines.join('\n')).to.deep.equal([]);
    expect(summary.kills).to.equal(5);
    expect(summary.calls).to.be.above(100);
    expect(summary.arrivals.mails).to.be.above(100);
    expect(summary.arrivals.texts).to.be.above(5);
    expect(summary.arrivals.webhooks).to.be.above(500);
  });

  it('finds what is lost, doubled or made up: a changed journal violates the promises', async () => {
    const { folder } = place;
    const linesOf = async (name: string): Promise<string[]> =>
      (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
    const change = async (name: string, by: (all: string[]) => string[]): Promise<void> =>
      writeFile(join(folder, name), `${by(await linesOf(name)).join('\n')}\n`);
    const isSingle = (line: string): boolean => /"to":"\d+-mail-/.test(line);
    await change('mails.jsonl', (all) => all.toSpliced(all.findIndex(isSingle), 1));
    await change('texts.jsonl', (all) => [...all, all.find((line) => /"id":"\d+-text-/.test(line)) ?? '']);
    await change('webhooks.jsonl', (all) => all.slice(1));
    const madeUp = { key: '9-mail', bearer: 'none', operation: 'email.send', input: {}, begunAt: 1 };
    const id = '01a21ae8-8309-7140-b037-75263346434b';
    const text = JSON.stringify({ activityId: id, result: { messageId: id, status: 'queued' } });
    const answer = { key: madeUp.key, accepted: true, text, at: 2 };
    await appendFile(join(folder, 'calls.jsonl'), `${JSON.stringify(madeUp)}\n${JSON.stringify(answer)}\n`);
    const { violations } = await run(0);
    expect(violations.map(({ promise }) => promise)).to.include.members([
      'An accepted message is delivered',
      'Each accepted write has one audit record',
      'Every event reaches every endpoint',
      'No text comes twice',
      'What was accepted is stored, once',
    ]);
  });
});
