import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab, partOf } from '#test/kernel/support/lab.js';

const done = (name: string, requires?: string): ReturnType<typeof defineOperation> =>
  defineOperation({
    name,
    summary: 'Be there.',
    access: 'public',
    impact: { read: true },
    ...(requires === undefined ? {} : { requires }),
    input: object({}),
    output: object({ done: boolean() }),
    example: { input: {}, output: { done: true } },
    handle: async () => ({ done: true }),
  });

const off = definePlugin({ ...lab(done('shop.cart.fill')), name: 'shop' });
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('The address of an operation', () => {
  const platform = usePlatform({
    settings: () => ({ SVC_PRODUCTS: 'lab' }),
    plugins: [lab(done('lab.thing.look'), done('lab.thing.buy', 'shop')), off],
  });
  const raw = (path: string, method = 'POST'): ReturnType<typeof platform.api.raw> =>
    platform.api.raw(path, method === 'POST' || method === 'PUT' ? '{}' : undefined, { method });

  it('answers under /v1 as well, byte for byte', async () => {
    const plain = await raw('/lab/thing/look');
    const twin = await raw('/v1/lab/thing/look');
    expect([twin.status, twin.text]).to.deep.equal([200, plain.text]);
    for (const path of ['/v1/v1/lab/thing/look', '/v2/lab/thing/look', '/v1lab/thing/look']) {
      expect(codeOf(await raw(path))).to.equal('unknown_operation');
    }
  });

  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    it(`answers only POST: ${method} is refused with Allow`, async () => {
      for (const path of ['/lab/thing/look', '/v1/lab/thing/look']) {
        const refused = await raw(path, method);
        expect([refused.status, codeOf(refused), refused.headers.get('Allow')]).to.deep.equal([
          405,
          'method_not_allowed',
          'POST',
        ]);
        expect(partOf(refused.text, 'error')['message']).to.contain(method);
      }
    });
  }

  it('answers HEAD like GET, without a body', async () => {
    const refused = await raw('/lab/thing/look', 'HEAD');
    expect([refused.status, refused.text, refused.headers.get('Allow')]).to.deep.equal([405, '', 'POST']);
  });

  for (const [path, nearest] of [
    ['/lab/thing/loko', '/lab/thing/look'],
    ['/lab/thing/look/', '/lab/thing/look'],
    ['/LAB/thing/look', '/lab/thing/look'],
    ['/lab.thing.look', '/lab/thing/look'],
    ['/v1/lab/thng/look', '/lab/thing/look'],
  ] as const) {
    it(`suggests ${nearest} for ${path}`, async () => {
      const refused = await raw(path);
      expect([refused.status, codeOf(refused)]).to.deep.equal([404, 'unknown_operation']);
      expect(partOf(refused.text, 'error')['fix']).to.contain(`POST ${nearest}?`);
    });
  }

  it('suggests nothing when no path is similar', async () => {
    for (const path of ['/', '/x', '/%00', '/%E0%A4%A', '//', '/../etc/passwd', '/wp-login.php?a=b']) {
      const refused = await raw(path);
      expect([path, refused.status, codeOf(refused)]).to.deep.equal([path, 404, 'unknown_operation']);
      expect(partOf(refused.text, 'error')['fix']).to.equal('See /openapi.json for the operations there are.');
    }
  });

  it('is looked up quickly even when it is eight thousand letters long', async () => {
    const began = process.cpuUsage();
    for (let call = 0; call < 20; call += 1) {
      const refused = await raw(`/${'lab/thing/'.repeat(800)}`);
      expect(codeOf(refused)).to.equal('unknown_operation');
      expect(refused.text.length).to.be.lessThan(1_000);
    }
    expect(process.cpuUsage(began).user / 1_000).to.be.lessThan(1_000);
  });

  it('of a disabled product is refused with the product’s name', async () => {
    const refused = await raw('/shop/cart/fill');
    expect([refused.status, codeOf(refused)]).to.deep.equal([404, 'product_disabled']);
    expect(partOf(refused.text, 'error')['fix']).to.contain('Add shop to SVC_PRODUCTS');
    const needing = await raw('/lab/thing/buy');
    expect(codeOf(needing)).to.equal('product_disabled');
    expect(partOf(needing.text, 'error')['message']).to.contain('The product shop');
  });

  it('ignores a query string: only the body counts', async () => {
    expect((await raw('/lab/thing/look?done=false')).status).to.equal(200);
  });

  it('answers every call with its own X-Request-Id, which refusals contain too', async () => {
    const answers = [
      await raw('/lab/thing/look'),
      await raw('/lab/thing/look'),
      await raw('/nowhere'),
      await raw('/healthz', 'GET'),
    ];
    const ids = answers.map((answer) => answer.headers.get('X-Request-Id') ?? '');
    expect(new Set(ids).size).to.equal(4);
    for (const id of ids) expect(id).to.match(uuid);
    expect(partOf(answers[2]?.text ?? '', 'error')['requestId']).to.equal(ids[2]);
  });

  it('answers JSON that browsers do not interpret as another type', async () => {
    for (const answer of [await raw('/lab/thing/look'), await raw('/nowhere')]) {
      expect(answer.headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
    }
  });
});
