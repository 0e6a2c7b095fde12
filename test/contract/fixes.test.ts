import { expect } from 'chai';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { unknownNamesIn } from '#test/support/named-operations.js';
import { optionalProducts, plugins, subsetsOf } from './support/operations.js';

/*
 * The fixes of refusals that tests provoke are checked by test/support/api.ts too: those may name operations that the
 * code fills in.
 */

for (const enabled of subsetsOf(optionalProducts)) {
  // An empty list would enable all products.
  const registry = createRegistry(plugins, ['account', ...enabled]);

  // Operations that require a product which this deployment does not have.
  const unavailable = registry.plugins
    .flatMap(({ operations }) => operations.map(({ name }) => name))
    .filter((name) => !registry.operations.has(name));

  describe(`Errors of SVC_PRODUCTS=${[...registry.products.keys()].join(',')}`, () => {
    it('name only operations that this deployment has', () => {
      for (const [code, { message, fix }] of Object.entries(registry.enabledErrors))
        expect(unknownNamesIn(`${message} ${fix}`, registry), code).to.deep.equal([]);
    });

    it('name only such operations where a thing is not found', () => {
      for (const { tables } of registry.plugins)
        for (const table of tables) {
          if (!('notFound' in table) || unavailable.some((name) => JSON.stringify(table.notFound).includes(name)))
            continue;
          expect(unknownNamesIn(JSON.stringify(table.notFound), registry)).to.deep.equal([]);
        }
    });

    it('always state a next step', () => {
      for (const [code, { message, fix }] of Object.entries(registry.enabledErrors)) {
        expect(message.trim(), code).to.match(/[.}]$/);
        expect(fix.trim(), code).to.match(/[.}]$/);
      }
    });
  });
}
