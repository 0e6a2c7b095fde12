import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { runSvc, svcCommand } from './support.js';

describe('svc, if its output is a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-output-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Runs `svc --help` with standard output into a file, under a limit of the shell. */
  const helpInto = async (path: string, limit: string): Promise<{ code: number | null; said: string }> => {
    const { program, args, env } = svcCommand(['--help']);
    const output = openSync(path, 'w');
    const child = spawn('bash', ['-c', `${limit}; exec "$0" "$@"`, program, ...args], {
      env,
      stdio: ['ignore', output, 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    closeSync(output);
    return { said: child.stderr ? await text(child.stderr) : '', code: await ended };
  };

  it('fails and says why if the device is full, or the file reaches its allowed size', async () => {
    const full = await helpInto('/dev/full', 'true');
    expect(full.code).to.equal(1);
    expect(full.said).to.contain('The output could not be written: no space is left on the device.');
    const cut = await helpInto(join(folder, 'cut.txt'), 'ulimit -f 1');
    expect(cut.code).to.equal(1);
    expect(cut.said).to.contain('the file has reached its allowed size');
  });

  it('writes all of it otherwise', async () => {
    const path = join(folder, 'whole.txt');
    expect(await helpInto(path, 'true')).to.deep.equal({ code: 0, said: '' });
    const { stdout } = await runSvc(['--help']);
    expect(statSync(path).size).to.equal(Buffer.byteLength(stdout));
  });
});

describe('svc, given JSON files with a byte order mark', () => {
  needProducts('audience');
  const platform = usePlatform();
  const folder = mkdtempSync(join(tmpdir(), 'svc-mark-'));
  after(() => rmSync(folder, { recursive: true }));

  it('reads them as values of flags and as the whole input', async () => {
    const { keys } = await platform.account();
    const address = ['--base-url', platform.running.address, '--json'];
    const [properties, input] = ['properties.json', 'input.json'].map((name) => join(folder, name));
    writeFileSync(properties ?? '', '\uFEFF{"plan":"x"}\r\n');
    writeFileSync(input ?? '', '\uFEFF{"email":"mark@example.com","properties":{"plan":"x"}}\r\n');
    for (const words of [
      ['--email', 'mark@example.com', '--properties', `@${properties ?? ''}`],
      ['--input', input ?? ''],
    ]) {
      const ran = await runSvc(['audience', 'contact', 'upsert', ...words, ...address], { key: keys.live.secret });
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.contain('"plan": "x"');
    }
  });
});
