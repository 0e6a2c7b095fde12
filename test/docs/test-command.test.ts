import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readSources, testsOf } from '#scripts/test-changed.js';
import { allTestFiles, filesMatching, takePatterns } from '#scripts/test-files.js';
import { at } from '#test/support/json.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

describe('npm test', () => {
  it('takes patterns with braces, stars and folders, and mocha’s options with their values', async () => {
    const files = await allTestFiles(root);
    const words = ['--grep', 'send.*|x', 'test/sdk/*.test.ts', '--bail', 'test/{sms,email}/**/list.test.ts'];
    const { patterns, rest } = takePatterns(words);
    expect(rest).to.deep.equal(['--grep', 'send.*|x', '--bail']);
    const found = filesMatching(patterns, files, root);
    expect(found).to.include.members(['test/sms/message/list.test.ts', 'test/email/message/list.test.ts']);
    for (const file of found) expect(file).to.match(/^test\/(sdk\/[^/]+|(sms|email)\/(.+\/)?list)\.test\.ts$/);
    expect(filesMatching(['test/sms', 'test/sms/'], files, root)).to.have.length.above(10);
  });

  it('fails for each pattern that matches no file, also beside others that match', async () => {
    const loading = ['--conditions=svc-source', '--import', 'tsx', 'scripts/test.ts'];
    const words = ['test/sms/**/*.test.ts', 'test/contract/{audit,exmaples}s.test.ts'];
    const failure: unknown = await run(process.execPath, [...loading, ...words], { cwd: root }).catch(
      (error: unknown) => error,
    );
    expect(at(failure, 'code')).to.equal(1);
    expect(at(failure, 'stderr')).to.contain('No test file matches test/contract/{audit,exmaples}s.test.ts.');
  });

  it('--changed runs what imports a changed file or calls an operation that does', () => {
    const sources = readSources(root);
    const of = (...paths: string[]): string[] => testsOf(paths, sources) ?? [];
    expect(of('plugins/audience/operations/contact/get.ts'))
      .to.include.members(['test/audience/contact/get.test.ts', 'test/contract/tenancy.test.ts'])
      .and.not.include('test/sms/message/list.test.ts');
    // What only workers use, and no operation imports.
    expect(of('plugins/audience/eraser.ts')).to.include('test/audience/erasure-while-disabled.test.ts');
    expect(of('core/runtime/database/connect.ts')).to.include.members([
      'test/audience/contact/get.test.ts',
      'test/faults/webhooks.test.ts',
    ]);
    expect(of('docs/go.md')).to.include('test/docs/commands.test.ts').and.not.include('test/sms/message/list.test.ts');
    expect(of('test/sms/message/list.test.ts')).to.deep.equal(['test/sms/message/list.test.ts']);
  });

  it('--changed runs everything after a change of what all tests use, or of a file that no rule knows', () => {
    const sources = readSources(root);
    for (const path of ['migrations/core/0001_core.ts', 'package.json', 'core/surfaces/new.css'])
      expect(testsOf([path], sources), path).to.equal(undefined);
  });
});
