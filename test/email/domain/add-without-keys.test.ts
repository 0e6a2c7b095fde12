import { expect } from 'chai';
import { openStage, type Stage } from '#test/faults/support/stage.js';
import { at } from '#test/support/json.js';
import { needProducts } from '#test/support/products.js';

/** A module that lets Node's generation of RSA keys fail, as OpenSSL does where it gets no memory. */
const withoutRsa = `
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
const { generateKeyPair } = crypto;
crypto.generateKeyPair = (type, options, done) =>
  type === 'rsa'
    ? process.nextTick(done, new Error('error:018C0100:bignum routines::malloc failure'))
    : generateKeyPair(type, options, done);
syncBuiltinESMExports();
`;

describe('email.domain.add where no DKIM key can be made', function () {
  this.timeout(120_000);
  needProducts('email');
  const stages: Stage[] = [];
  after(() => Promise.all(stages.map((stage) => stage.close())));

  it('answers provider_failed with what OpenSSL said and the next step, and registers nothing', async () => {
    const stage = await openStage();
    stages.push(stage);
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(withoutRsa)}`;
    const node = await stage.start({ settings: { NODE_OPTIONS } });
    const response = await fetch(`${node.address}/email/domain/add`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await stage.liveKey()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ domain: 'shop.example.com' }),
    });
    const error = at(await response.json(), 'error');
    expect([response.status, at(error, 'code')]).to.deep.equal([502, 'provider_failed']);
    expect(at(error, 'message')).to.match(/^OpenSSL failed: .*malloc failure/);
    expect(at(error, 'fix')).to.equal('Call email.domain.add again.');
    expect(await stage.askLive(node, 'email.domain.list', {})).to.deep.equal({ domains: [], nextBefore: null });
    expect(await stage.db.rows("SELECT id FROM svc_event WHERE type LIKE 'email.domain%'")).to.deep.equal([]);
    expect(await node.stop(), node.printed()).to.equal('0');
  });
});
