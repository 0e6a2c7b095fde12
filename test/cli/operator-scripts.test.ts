import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { compiledProgram } from '#test/support/compiled.js';
import type { Ran } from './support.js';

async function runScript(
  script: string,
  words: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const program = compiledProgram(`scripts/${script}.ts`);
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: 'pipe',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

describe('The scripts of operators', function () {
  this.timeout(60_000);

  for (const script of ['billing', 'bootstrap', 'domain-keys'])
    it(`npm run ${script} prints its usage for --help, and beside an option that it does not have`, async () => {
      const help = await runScript(script, ['--help']);
      expect(help.code).to.equal(0);
      expect(help.stdout).to.contain(`npm run ${script} -- `);
      const wrong = await runScript(script, ['--nonsense']);
      expect(wrong.code).to.equal(2);
      expect(wrong.stderr).to.contain("'--nonsense'").and.contain(`npm run ${script} -- `).and.not.contain('    at ');
      expect((await runScript(script)).code).to.equal(2);
    });

  it('npm run billing says what is missing in a command', async () => {
    for (const [words, said] of [
      [['pay', 'SVC-000001'], 'Unknown command pay: use list, paid or void.'],
      [['paid'], 'Name the invoice: npm run billing -- paid SVC-000042'],
      [['void', 'SVC-000001'], 'Give the reason, for the audit log: npm run billing -- void SVC-000001 --reason'],
    ] as const) {
      const { code, stderr } = await runScript('billing', words);
      expect(code).to.equal(2);
      expect(stderr.split('\n')[0]).to.contain(said);
    }
  });

  it('make no deployment where none is: a wrong SVC_STATE_DIR is said, and nothing is written there', async () => {
    const folder = join(tmpdir(), `svc-nothing-${process.pid}`);
    const { code, stdout, stderr } = await runScript('billing', ['list'], { SVC_STATE_DIR: folder });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.contain(`There is no deployment in ${folder}`).and.contain('Set SVC_STATE_DIR');
    expect(existsSync(folder)).to.equal(false);
  });
});
