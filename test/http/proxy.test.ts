import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { lab, partOf } from '#test/kernel/support/lab.js';

const whoami = defineOperation({
  name: 'lab.address.show',
  summary: 'Show the client’s address.',
  access: 'public',
  impact: { read: true },
  input: object({}),
  output: object({ ip: text() }),
  example: { input: {}, output: { ip: '203.0.113.7' } },
  handle: async (_, { caller }) => ({ ip: caller.request.ip }),
});

async function seen(platform: TestPlatform, headers: Record<string, string>): Promise<unknown> {
  const { text: answer } = await platform.api.raw('/lab/address/show', '{}', { headers });
  return partOf(answer, 'result')['ip'];
}

describe('The client’s address', () => {
  describe('without trusted proxies', () => {
    const platform = usePlatform({ plugins: [lab(whoami)] });

    it('is the connection’s own, whatever a header claims', async () => {
      for (const headers of [
        {},
        { 'X-Forwarded-For': '203.0.113.7' },
        { 'X-Real-IP': '203.0.113.7' },
        { Forwarded: 'for=203.0.113.7' },
      ]) {
        expect(await seen(platform, headers)).to.equal('127.0.0.1');
      }
    });
  });

  describe('behind one trusted proxy, named by its address', () => {
    const platform = usePlatform({ settings: () => ({ SVC_TRUST_PROXY: '127.0.0.1' }), plugins: [lab(whoami)] });

    it('is the one that the proxy adds', async () => {
      expect(await seen(platform, { 'X-Forwarded-For': '203.0.113.7, 127.0.0.2' })).to.equal('127.0.0.2');
    });
  });

  describe('behind trusted proxies', () => {
    const platform = usePlatform({
      settings: () => ({ SVC_TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8, 2001:db8::/32' }),
      plugins: [lab(whoami)],
    });

    for (const [forwarded, ip] of [
      ['203.0.113.7', '203.0.113.7'],
      // The client wrote the left part itself: only what trusted proxies added counts, from the right.
      ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
      ['198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
      ['203.0.113.7, 10.1.2.3, 10.4.5.6', '203.0.113.7'],
      ['10.1.2.3, 203.0.113.7, 198.51.100.9', '198.51.100.9'],
      ['2001:db9::1, 2001:db8::5', '2001:db9::1'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['10.1.2.3', '10.1.2.3'],
      ['nonsense, 203.0.113.7', '203.0.113.7'],
      // A value that is not an address is not trusted: the proxy that passed it on counts.
      ['203.0.113.7, nonsense', '127.0.0.1'],
      ['198.51.100.1, unknown, 10.1.2.3', '10.1.2.3'],
      ['1, 10.1.2.3', '10.1.2.3'],
      ['203.0.113.7:4711', '203.0.113.7'],
      ['[2001:DB9:0:0::1]:4711', '2001:db9::1'],
      ['2001:DB9:0000::0001', '2001:db9::1'],
      ['fe80::1%eth0', 'fe80::1'],
    ] as const) {
      it(`is ${ip} in X-Forwarded-For: ${forwarded}`, async () => {
        expect(await seen(platform, { 'X-Forwarded-For': forwarded })).to.equal(ip);
      });
    }

    it('is the proxy’s when nothing was forwarded', async () => {
      expect(await seen(platform, {})).to.equal('127.0.0.1');
    });

    it('is never longer than an address, so nothing can be injected into a log', async () => {
      const ip = String(await seen(platform, { 'X-Forwarded-For': `<script>${'a'.repeat(500)}` }));
      expect(ip.length).to.be.at.most(45);
    });

    it('is recorded in audit records', async () => {
      const { svc } = await platform.account();
      const headers = { 'X-Forwarded-For': '203.0.113.99' };
      await svc.call('developers.key.create', { name: 'A', permissions: ['account:read'] }, { headers });
      expect(
        await platform.count('svc_activity', "ip = '203.0.113.99' AND operation = 'developers.key.create'"),
      ).to.equal(1);
    });
  });
});
