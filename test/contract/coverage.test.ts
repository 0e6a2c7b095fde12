import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commonErrors } from '#core/kernel/errors/common.js';
import { allOperations, plugins } from './support/operations.js';

const here = fileURLToPath(import.meta.url);
const folder = fileURLToPath(new URL('../', import.meta.url));

/** Declared, and reached by no test for a reason. What a test reaches after all must leave this list. */
const unreached: Readonly<Record<string, string>> = {};

/** All tests as one text, without this file, which names what is not reached. */
const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && folder + name !== here)
  .map((name) => readFileSync(folder + name, 'utf8'))
  .join('\n');

const isReached = (name: string): boolean =>
  [`'${name}'`, `"${name}"`, `\`${name}\``].some((text) => tests.includes(text));

const codes = [...Object.keys(commonErrors), ...plugins.flatMap((plugin) => Object.keys(plugin.errors))];
const events = plugins.flatMap((plugin) => Object.keys(plugin.events));
const operations = allOperations.map(({ name }) => name);

describe('What the products declare', () => {
  for (const [what, names] of Object.entries({ 'error code': codes, event: events, operation: operations })) {
    it(`is reached by some test: every ${what}`, () => {
      const missing = names.filter((name) => !isReached(name) && !(name in unreached));
      expect(missing, `No file of test/ names these in quotes; write the test that reaches each`).to.deep.equal([]);
    });
  }

  it('is listed as unreached only while it is', () => {
    const declared = [...codes, ...events, ...operations];
    expect(Object.keys(unreached).filter((name) => isReached(name) || !declared.includes(name))).to.deep.equal([]);
  });
});
