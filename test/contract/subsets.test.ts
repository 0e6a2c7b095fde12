import { expect } from 'chai';
import type { EventDeclaration } from '#core/kernel/event.js';
import { pathOf } from '#core/kernel/operation.js';
import { atOwnShard } from '#core/runtime/shard.js';
import { tableNameOf } from '#core/runtime/database/table.js';
import { usePlatform } from '#test/support/platform.js';
import { allOperations, optionalProducts, plugins, subsetsOf } from './support/operations.js';

const always = plugins.filter(({ alwaysOn }) => alwaysOn === true).map(({ name }) => name);

for (const chosen of subsetsOf(optionalProducts)) {
  const products = [...always, ...chosen];

  describe(`SVC_PRODUCTS=${products.join(',')}`, () => {
    const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: products.join(',') }) });

    it('starts and creates only the tables of its products', async () => {
      expect(platform.running.services.deployment.products).to.have.members(products);
      const rows = await platform.running.services.database.rows<{ name: string }>(
        'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
      );
      const tables = rows.map(({ name }) => name).filter((name) => !name.startsWith('svc_'));
      const mine = plugins.filter(({ name }) => products.includes(name)).flatMap((plugin) => plugin.tables);
      expect(tables).to.include.members(mine.map(tableNameOf));
      const owned = new RegExp(`^(${products.join('|')})(_|$)`);
      expect(tables.filter((name) => !owned.test(name))).to.deep.equal([]);
    });

    it('answers operations of its products, and product_disabled for all others', async () => {
      const { svc } = await platform.account();
      expect((await svc.call('developers.key.current', {})).account.name).to.equal('Acme');
      const { registry } = platform.running;
      for (const { name, product, requires } of allOperations) {
        if (registry.operations.has(name)) continue;
        const missing = products.includes(product) ? requires : product;
        const refusal = await svc.refusal(name, {});
        expect(refusal, name).to.include({ code: 'product_disabled', status: 404 });
        expect(refusal.message, name).to.contain(` ${missing} `);
      }
    });

    it('describes only what is enabled', async () => {
      const { text } = await platform.api.raw(atOwnShard('/openapi.json'), undefined, { method: 'GET' });
      const { registry } = platform.running;
      for (const plugin of plugins) {
        for (const { name } of plugin.operations) {
          expect(text.includes(`"${pathOf(name)}":`), name).to.equal(registry.operations.has(name));
        }
        const on = products.includes(plugin.name);
        for (const [name, { requires = [] }] of Object.entries<EventDeclaration>(plugin.events))
          expect(text.includes(`"${name}"`), name).to.equal(on && requires.every((each) => products.includes(each)));
        for (const code of Object.keys(plugin.errors)) {
          // Email and texts share the codes of messaging.
          const isDeclared = plugins.some(({ name, errors }) => products.includes(name) && code in errors);
          expect(text.includes(`"${code}":{`), code).to.equal(isDeclared && code in registry.enabledErrors);
        }
      }
    });

    it('gives the first secret keys only the permissions of its products', async () => {
      const { svc } = await platform.account();
      const { permissions } = await svc.call('developers.key.current', {});
      expect(permissions).to.have.members(products.flatMap((name) => [`${name}:read`, `${name}:write`]));
    });
  });
}
