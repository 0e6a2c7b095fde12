import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rejection } from '#test/support/use-database.js';
import { root } from './shell-blocks.js';

const run = promisify(execFile);

describe('The installation', () => {
  it('says what to run where npm left out what builds svc', async () => {
    const description: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(description).to.have.nested.property('scripts.prepare').that.is.a('string');
    const { scripts } = Object.assign({ scripts: { prepare: '' } }, description);
    const folder = await mkdtemp(join(tmpdir(), 'svc-installation-'));
    try {
      const env = { PATH: process.env['PATH'], npm_command: 'ci' };
      const error = await rejection(run('sh', ['-c', scripts.prepare], { cwd: folder, env }));
      expect(error).to.have.property('code', 1);
      expect(error).to.have.property('stderr').that.contains('Run: npm ci --include=dev');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
