import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tableNameOf } from '#core/runtime/database/table.js';
import { plugins } from './support/operations.js';

const root = fileURLToPath(new URL('../../plugins/', import.meta.url));

/** The files under plugins/<product>/operations, with the operation names that their paths mean. */
async function operationFiles(product: string): Promise<{ address: string; path: string }[]> {
  const names = await readdir(`${root}${product}/operations`, { recursive: true });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({
      address: `${product}.${name.replace(/\.ts$/, '').replaceAll('/', '.')}`,
      path: `${root}${product}/operations/${name}`,
    }));
}

const nameOf = (operation: unknown): unknown =>
  typeof operation === 'object' && operation !== null ? Reflect.get(operation, 'name') : undefined;

describe('The path of an operation’s file is its name', () => {
  for (const plugin of plugins) {
    it(`in ${plugin.name}: each file exports the operation that its path names, and the index lists them all`, async () => {
      const files = await operationFiles(plugin.name);
      const declared = await Promise.all(
        files.map(async ({ path }) => {
          const loaded: unknown = await import(pathToFileURL(path).href);
          return nameOf(typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'default') : undefined);
        }),
      );
      const addresses = files.map(({ address }) => address);
      expect(declared).to.deep.equal(addresses);
      expect(plugin.operations.map(({ name }) => name)).to.have.members(addresses);
    });

    it(`in ${plugin.name}: the names of operations, events and tables begin with the product’s name`, () => {
      const tables = plugin.tables.map(tableNameOf);
      for (const name of [...plugin.operations.map((each) => each.name), ...Object.keys(plugin.events)]) {
        expect(name).to.match(new RegExp(`^${plugin.name}(\\.[a-z][a-zA-Z0-9_]*)+$`));
      }
      for (const table of tables) expect(table).to.match(new RegExp(`^${plugin.name}(_[a-z0-9_]+)?$`));
    });
  }
});
