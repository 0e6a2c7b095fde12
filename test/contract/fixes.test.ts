import { expect } from 'chai';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { unknownNamesIn } from '#test/support/named-operations.js';
import { optionalProducts, plugins, subsetsOf } from './support/operations.js';

/* The fixes of refusals that tests provoke are checked by test/support/api.ts too: those may name operations that the code fills in. */

for (const enabled of subsetsOf(optionalProducts)) {
  // An empty list would enable all products.
  const registry = createRegistry(plugins, ['account', ...enabled]);

  // Operations that require a product which this deployment does not have, and the codes that they alone answer.
  const missing = registry.plugins.flatMap(({ operations }) =>
    operations.filter(({ name }) => !registry.operations.has(name)),
  );
  const unavailable = missing.map(({ name }) => name);
  const answered = new Set([...registry.operations.values()].flatMap((operation) => registry.codesOf(operation)));
  const onlyElsewhere = new Set<string>(missing.flatMap(({ errors }) => errors.filter((code) => !answered.has(code))));

  describe(`Errors of SVC_PRODUCTS=${[...registry.products.keys()].join(',')}`, () => {
    it('name only operations that this deployment has', () => {
      for (const [code, { message, fix }] of Object.entries(registry.enabledErrors))
        if (!onlyElsewhere.has(code)) expect(unknownNamesIn(`${message} ${fix}`, registry), code).to.deep.equal([]);
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
