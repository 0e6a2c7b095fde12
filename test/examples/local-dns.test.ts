import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startExample } from './support.js';

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('examples/local-dns', function () {
  this.timeout(60_000);
  needProducts('email');
  const parts = { port: 0 };
  const platform = usePlatform({
    async settings() {
      parts.port = await freePort();
      return { SVC_DNS_SERVERS: `127.0.0.1:${parts.port}`, SVC_MAIL_RETURN_HOST: 'bounces.svc-test.com' };
    },
  });

  it('lets a domain be verified that does not exist', async () => {
    const { keys, svc } = await platform.account();
    const example = startExample(['local-dns/local-dns.ts', String(parts.port)], {
      SVC_API_URL: platform.running.address,
      SVC_API_KEY: keys.live.secret,
    });
    await example.waitFor('Answering at');
    const { domain } = await svc.call('email.domain.add', { domain: 'shop.example' });
    const verified = await svc.call('email.domain.verify', { domainId: domain.id });
    await example.stop();
    expect(verified.domain.status, example.printed()).to.equal('verified');
    expect(verified.check.records.filter(({ ok }) => !ok)).to.deep.equal([]);
  });
});
