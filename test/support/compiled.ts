import { join } from 'node:path';

/**
 * The path of a program in the build of this test run (scripts/test.ts).
 * @param source its path in this repository, for example `scripts/svc.ts`
 */
export function compiledProgram(source: string): string {
  const folder = process.env['SVC_TEST_COMPILED'];
  if (folder === undefined) throw new Error('Run tests with npm test: SVC_TEST_COMPILED is not set.');
  return join(folder, 'dist', source.replace(/\.ts$/, '.js'));
}
