import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { examplePayload } from '#core/kernel/events/example.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import type { Suite } from './suite.js';

const registry = createRegistry(await findPlugins(), []);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Signatures of webhook deliveries, and the events in them. */
export function deliveryCases(suite: Suite): void {
  const { carryOut } = suite;
  describe('verifies deliveries', () => {
    const secret = `svc_wh_${'s3cretS3cret'.repeat(4).slice(0, 43)}`;
    const signedAt = 1_700_000_000;
    const signatureOf = (body: string, key: string, t = signedAt): string =>
      createHmac('sha256', key).update(`${t}.`).update(body).digest('hex');
    const headerOf = (body: string, key = secret): string => `t=${signedAt},v1=${signatureOf(body, key)}`;
    const verify = (body: string, header: string | null, given: { secret?: string | null; now?: number } = {}) =>
      carryOut({
        do: 'webhook',
        body: Buffer.from(body).toString('base64'),
        header,
        secret: given.secret === undefined ? secret : given.secret,
        nowMs: (given.now ?? signedAt) * 1000,
      });

    it('of every event, also of newer servers', async () => {
      for (const [name, declaration] of registry.events) {
        const event: unknown = Object.assign({}, plain(examplePayload(name, declaration)), { fieldOfNewer: 'Zoë' });
        const body = JSON.stringify(event);
        expect(await verify(body, headerOf(body)), name).to.deep.equal({ event });
      }
      const unknown = { id: '1', type: 'lab.parcel.sent', data: { parcel: { sizeClass: 'l' } } };
      const body = JSON.stringify(unknown);
      expect(await verify(body, headerOf(body))).to.deep.equal({ event: unknown });
    });

    it('and refuses those that are old, forged or malformed', async () => {
      const body = '{"id":"1","type":"lab.parcel.sent","data":{}}';
      const header = headerOf(body);
      const v1 = signatureOf(body, secret);
      const verdictOf = async (...args: Parameters<typeof verify>): Promise<unknown> =>
        (await verify(...args))['rejected'] ?? 'accepted';
      for (const seconds of [-300, 0, 300])
        expect(await verdictOf(body, header, { now: signedAt + seconds })).to.equal('accepted');
      for (const seconds of [-301, 301, 86_400])
        expect(await verdictOf(body, header, { now: signedAt + seconds })).to.equal('timestamp_out_of_tolerance');
      expect(await verdictOf(`${body} `, header)).to.equal('signature_mismatch');
      expect(await verdictOf(body, header, { secret: `${secret} ` })).to.equal('signature_mismatch');
      expect(await verdictOf(body, header.replace(`t=${signedAt}`, `t=${signedAt + 1}`))).to.equal(
        'signature_mismatch',
      );
      const malformed = [
        null,
        '',
        'nonsense',
        `v1=${v1}`,
        `t=${signedAt}`,
        `t=-1,v1=${v1}`,
        `t=1e9,v1=${v1}`,
        `t=${signedAt}, v1=${v1}`,
        `t=${signedAt},v1=${v1.toUpperCase()}`,
        `t=${signedAt},v1=${v1.slice(1)}`,
        `t=${signedAt},v1=${v1}\n`,
        `t=${signedAt}${`,v1=${v1}`.repeat(11)}`,
        `t=${signedAt},v0=${v1}`,
        `t=١٢٣,v1=${v1}`,
      ];
      for (const each of malformed) expect(await verdictOf(body, each), String(each)).to.equal('malformed_header');
    });

    it('with either secret while one is rotated, and never without a secret', async () => {
      const body = '{"id":"1","type":"lab.parcel.sent","data":{}}';
      const both = `t=${signedAt},v1=${signatureOf(body, 'the new secret')},v1=${signatureOf(body, secret)}`;
      for (const key of [secret, 'the new secret'])
        expect(await verify(body, both, { secret: key })).to.have.property('event');
      expect(await verify(body, both, { secret: 'another' })).to.deep.equal({ rejected: 'signature_mismatch' });
      for (const key of ['', null])
        expect(await verify(body, headerOf(body, ''), { secret: key }))
          .to.have.property('misused')
          .that.contains('The webhook signing secret is missing');
    });
  });
}
