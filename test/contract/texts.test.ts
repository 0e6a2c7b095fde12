import { expect } from 'chai';
import { createRegistry, type Registry } from '#core/kernel/registry/registry.js';
import { instructionsFor, modes } from '#core/surfaces/mcp/instructions.js';
import { toolOf } from '#core/surfaces/mcp/tools.js';
import { toolName } from '#core/surfaces/names.js';
import { describeApi } from '#core/surfaces/openapi/document.js';
import { referencePaths } from '#core/surfaces/reference/anchors.js';
import { pageReader } from '../reference/support.js';
import { allOperations, optionalProducts, plugins, subsetsOf } from './support/operations.js';

const everything = createRegistry(plugins, []);

/** Codes that a reply may state of what happened while their product was enabled. */
const stored = ['sms_too_long', 'topic_archived', 'spending_cap_reached'];

/** The names of operations, tools, events and error codes that a deployment does not have. */
const missingIn = ({ operations, events, enabledErrors }: Registry): Set<string> => {
  const names = allOperations.map(({ name }) => name).filter((name) => !operations.has(name));
  return new Set([
    ...names,
    ...names.map(toolName),
    ...[...everything.events.keys()].filter((name) => !events.has(name)),
    ...Object.keys(everything.errors).filter((code) => !(code in enabledErrors) && !stored.includes(code)),
  ]);
};

/** The missing names that a text contains as whole words. */
const foundIn = (text: string, missing: ReadonlySet<string>): string[] => [
  ...new Set([...text.matchAll(/\w+(?:\.\w+)*/g)].map(([word]) => word).filter((word) => missing.has(word))),
];

for (const enabled of subsetsOf(optionalProducts)) {
  // An empty list would enable all products.
  const registry = createRegistry(plugins, ['account', ...enabled]);
  const missing = missingIn(registry);
  const operations = [...registry.operations.values()];

  describe(`Texts of SVC_PRODUCTS=${[...registry.products.keys()].join(',')}`, () => {
    it('name no operation, event or error that this deployment does not have, in /openapi.json', () => {
      const { tags, paths, webhooks, components, ...rest } = describeApi(registry, 'https://svc.example');
      for (const part of [tags, paths, webhooks, components])
        for (const [name, each] of Object.entries(Object.assign({}, part)))
          expect(foundIn(JSON.stringify(each), missing), name).to.deep.equal([]);
      expect(foundIn(JSON.stringify(rest), missing)).to.deep.equal([]);
    });

    it('and in the reference', async () => {
      const pageAt = await pageReader(registry);
      for (const path of referencePaths(registry))
        expect(foundIn((await pageAt(path)).body.toString(), missing), path).to.deep.equal([]);
    });

    it('and for MCP', () => {
      for (const operation of operations)
        expect(foundIn(JSON.stringify(toolOf(operation)), missing), operation.name).to.deep.equal([]);
      for (const mode of modes)
        for (const environment of ['live', 'test'] as const)
          expect(
            foundIn(instructionsFor({ operations, mode, environment, products: registry.products }), missing),
          ).to.deep.equal([]);
    });
  });
}
