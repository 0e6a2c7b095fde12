import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('GET /reference', () => {
  const platform = usePlatform();
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    platform.api.raw('/reference', undefined, { method, headers: { 'Accept-Encoding': 'identity', ...headers } });

  it('serves a page whose policy allows only its own script and styles', async () => {
    const { status, headers, text } = await get();
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const hash = (tag: string): string => {
      const inner = new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`).exec(text)?.[1] ?? '';
      return `'sha256-${createHash('sha256').update(inner).digest('base64')}'`;
    };
    expect(headers.get('content-security-policy')).to.equal(
      `default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}; img-src data:; connect-src 'self'; ` +
        `form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(text).to.not.match(/\sstyle="/);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('cache-control')).to.equal('no-cache');
    expect(text).to.contain(platform.running.services.deployment.baseUrl);
  });

  it('serves a page for each product', async () => {
    for (const path of ['/reference/account', '/reference/events', '/reference/errors', '/reference/resources']) {
      const { status, headers } = await platform.api.raw(path, undefined, { method: 'GET' });
      expect([status, headers.get('content-type')], path).to.deep.equal([200, 'text/html; charset=utf-8']);
    }
    expect((await platform.api.raw('/reference/nothing', undefined, { method: 'GET' })).status).to.equal(404);
  });

  it('answers 304 to a matching ETag, also to a weak one or one in a list', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    for (const given of [tag, `W/${tag}`, `"old", ${tag}`]) {
      const { status, text, headers } = await get({ 'If-None-Match': given });
      expect([status, text, headers.get('etag')], given).to.deep.equal([304, '', tag]);
    }
    expect((await get({ 'If-None-Match': '"old"' })).status).to.equal(200);
  });

  it('accepts only GET and HEAD', async () => {
    expect((await get({}, 'HEAD')).status).to.equal(200);
    const { status, headers } = await get({}, 'DELETE');
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });
});
