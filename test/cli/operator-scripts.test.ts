import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { compiledProgram } from '#test/support/compiled.js';
import type { Ran } from './support.js';

async function runScript(script: string, ...words: string[]): Promise<Ran> {
  const program = compiledProgram(`scripts/${script}.ts`);
  const child = spawn(process.execPath, [program, ...words], { env: { PATH: process.env['PATH'] }, stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

describe('The scripts of operators', function () {
  this.timeout(60_000);

  for (const script of ['billing', 'bootstrap', 'domain-keys'])
    it(`npm run ${script} prints its usage for --help, and beside an option that it does not have`, async () => {
      const help = await runScript(script, '--help');
      expect(help.code).to.equal(0);
      expect(help.stdout).to.contain(`npm run ${script} -- `);
      const wrong = await runScript(script, '--nonsense');
      expect(wrong.code).to.equal(2);
      expect(wrong.stderr).to.contain("'--nonsense'").and.contain(`npm run ${script} -- `).and.not.contain('    at ');
      expect((await runScript(script)).code).to.equal(2);
    });
});
