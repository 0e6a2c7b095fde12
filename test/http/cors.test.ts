import { expect } from 'chai';
import type { Access } from '#core/kernel/operation.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { boolean, object, optional, text } from '#core/kernel/schema/schema.js';
import type { RawAnswer } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab } from '#test/kernel/support/lab.js';

const operation = (name: string, access: Access): Operation =>
  defineOperation({
    name,
    summary: 'Be called from a browser, or not.',
    access,
    impact: { read: true },
    // Required of operations with user access.
    input: object({ accessToken: optional(text()) }),
    output: object({ done: boolean() }),
    example: { input: {}, output: { done: true } },
    handle: async () => ({ done: true }),
  });

const shop = 'https://shop.example.com';

describe('Calls from browsers', () => {
  const platform = usePlatform({
    plugins: [
      lab(
        operation('lab.cors.publishable', 'publishable'),
        operation('lab.cors.user', 'user'),
        operation('lab.cors.secret', 'secret'),
        operation('lab.cors.public', 'public'),
        operation('lab.cors.operator', 'operator'),
      ),
    ],
  });
  const preflight = (path: string): Promise<RawAnswer> =>
    platform.api.raw(path, undefined, {
      method: 'OPTIONS',
      headers: {
        Origin: shop,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
      },
    });
  const post = (path: string, key: string, origin?: string): Promise<RawAnswer> =>
    platform.api.raw(path, '{}', { key, headers: origin === undefined ? {} : { Origin: origin } });

  for (const access of ['publishable', 'user', 'public']) {
    it(`are announced for ${access} operations`, async () => {
      for (const prefix of ['', '/v1']) {
        const { status, headers, text } = await preflight(`${prefix}/lab/cors/${access}`);
        expect([status, text]).to.deep.equal([204, '']);
        expect(headers.get('Access-Control-Allow-Origin')).to.equal('*');
        expect(headers.get('Access-Control-Allow-Methods')).to.equal('POST');
        expect(headers.get('Access-Control-Allow-Headers')).to.equal('Authorization, Content-Type, Idempotency-Key');
        expect(Number(headers.get('Access-Control-Max-Age'))).to.be.greaterThan(0);
      }
    });
  }

  for (const access of ['secret', 'operator']) {
    it(`are not announced for ${access} operations`, async () => {
      const { status, headers } = await preflight(`/lab/cors/${access}`);
      expect([status, headers.get('Access-Control-Allow-Origin')]).to.deep.equal([405, null]);
      const { keys } = await platform.account();
      const answer = await post(`/lab/cors/${access}`, keys.live.secret, shop);
      expect(answer.headers.get('Access-Control-Allow-Origin')).to.equal(null);
    });
  }

  it('may read the answer and its headers, refusals included', async () => {
    const { keys } = await platform.account();
    const through = await post('/lab/cors/publishable', keys.live.publishable, shop);
    const refused = await post('/lab/cors/publishable', keys.live.secret, shop);
    expect([through.status, refused.status]).to.deep.equal([200, 403]);
    const open = await post('/lab/cors/public', '', shop);
    expect(open.status).to.equal(200);
    for (const { headers } of [through, refused, open]) {
      expect(headers.get('Access-Control-Allow-Origin')).to.equal('*');
      expect(headers.get('Access-Control-Expose-Headers')).to.equal('X-Request-Id, Retry-After, Idempotent-Replayed');
      expect(headers.get('Access-Control-Allow-Credentials')).to.equal(null);
    }
  });

  it('are limited to exactly the key’s allowedOrigins', async () => {
    const { svc } = await platform.account();
    const { plaintext } = await svc.call('developers.key.create', {
      name: 'Shop',
      kind: 'publishable',
      allowedOrigins: [shop, 'http://localhost:3000'],
    });
    for (const origin of [shop, 'http://localhost:3000', undefined]) {
      expect((await post('/lab/cors/publishable', plaintext, origin)).status).to.equal(200);
    }
    for (const origin of [
      'https://evil.example.com',
      'http://shop.example.com',
      'https://shop.example.com:8443',
      'https://shop.example.com.evil.com',
      'https://a.shop.example.com',
      'http://localhost:3001',
      'null',
    ]) {
      const refused = await post('/lab/cors/publishable', plaintext, origin);
      expect([origin, refused.status, codeOf(refused)]).to.deep.equal([origin, 403, 'origin_not_allowed']);
      expect(refused.headers.get('Access-Control-Allow-Origin')).to.equal('*');
    }
  });
});
