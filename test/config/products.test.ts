import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { definePort } from '#core/kernel/port.js';
import { need, provide } from '#core/kernel/provision.js';
import { skippedLines, takeProducts, withNeeds } from '#scripts/test-products.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const nothing = { summary: 'A product.', tables: [], operations: [], events: {}, errors: {} };

describe('npm test -- --products', () => {
  it('is taken out of the arguments, and wants names', () => {
    const { products, rest } = takeProducts(['--jobs', '2', '--products', 'email,sms', 'test/email/*.test.ts']);
    expect(products).to.deep.equal(['email', 'sms']);
    expect(rest).to.deep.equal(['--jobs', '2', 'test/email/*.test.ts']);
    expect(takeProducts(['test/email/*.test.ts']).products).to.equal(undefined);
    for (const wrong of [['--products'], ['--products', '--jobs'], ['--products', ',']])
      expect(() => takeProducts(wrong)).to.throw('--products wants names of products');
  });

  it('enables what is always on, and what a product needs without a stand-in', async () => {
    const plugins = await findPlugins();
    expect(withNeeds(plugins, ['email'])).to.deep.equal(['account', 'developers', 'email']);
    expect(() => withNeeds(plugins, ['emial'])).to.throw('"emial", which is not a product of this server');

    const stock = definePort<null>('stock.level');
    const offers = definePort<null>('offers.price');
    const shop = definePlugin({ ...nothing, name: 'shop', needs: [need(stock), need(offers, () => null)] });
    const store = definePlugin({ ...nothing, name: 'stock', provides: [provide(stock, () => null)] });
    const market = definePlugin({ ...nothing, name: 'offers', provides: [provide(offers, () => null)] });
    expect(withNeeds([shop, store, market], ['shop'])).to.deep.equal(['shop', 'stock']);
  });

  it('skips suites and cases that need another product, their hooks too, and says so', async function () {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), 'svc-products-'));
    const notes = join(folder, 'skipped.jsonl');
    try {
      const loading = ['--conditions=svc-source', '--no-experimental-require-module', '--import', 'tsx'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...loading, 'node_modules/mocha/bin/mocha.js', '--reporter', 'dot', 'test/config/products-fixture.ts'],
        { cwd: root, env: { ...process.env, SVC_TEST_PRODUCTS: 'account,email', SVC_TEST_SKIPPED: notes } },
      );
      expect(stdout)
        .to.match(/2 passing/)
        .and.to.match(/3 pending/);
      expect(skippedLines(notes)).to.deep.equal(['Skipped 1 suite and 1 case in 1 file: they need audience.']);
      expect(skippedLines(join(folder, 'nothing'))).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
