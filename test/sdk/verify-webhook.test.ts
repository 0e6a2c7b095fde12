import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constructEvent } from '#core/surfaces/sdk/webhooks.js';
import { verifyWebhook, WebhookRejected } from '#core/surfaces/sdk/verify-webhook.js';

const secret = `svc_wh_${'s3cretS3cret'.repeat(4).slice(0, 43)}`;
const at = 1_700_000_000;
const body = JSON.stringify({ id: '1', data: { name: 'Zoë 🛒 日本' } });
const now = at * 1000;

const headerOf = (t: number | string, text: string | Buffer = body, key = secret): string =>
  `t=${t},v1=${createHmac('sha256', key).update(`${t}.`).update(text).digest('hex')}`;

const thrownBy = (work: () => void): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

/** The reason for the rejection, or that the delivery was accepted. */
function verdict(...args: Parameters<typeof verifyWebhook>): string {
  try {
    verifyWebhook(...args);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof WebhookRejected)) throw error;
    return error.reason;
  }
}

describe('verifyWebhook', () => {
  it('accepts a signed body as text, Buffer or bytes, and returns the signing time', () => {
    for (const each of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      expect(verifyWebhook(each, headerOf(at), secret, { now })).to.equal(at);
    }
    const binary = Buffer.from([0xff, 0x00, 0xfe, 0x0d, 0x0a]);
    expect(verifyWebhook(binary, headerOf(at, binary), secret, { now })).to.equal(at);
    expect(verifyWebhook('', headerOf(at, ''), secret, { now })).to.equal(at);
  });

  it('tolerates 300 seconds in both directions, or the given tolerance', () => {
    const offBy = (seconds: number, options = {}): string =>
      verdict(body, headerOf(at), secret, { now: (at + seconds) * 1000, ...options });
    for (const seconds of [-300, -299, 0, 299, 300]) expect(offBy(seconds), `${seconds}`).to.equal('accepted');
    for (const seconds of [-86_400, -301, -300.5, 300.5, 301, 86_400]) {
      expect(offBy(seconds), `${seconds}`).to.equal('timestamp_out_of_tolerance');
    }
    expect(offBy(10, { toleranceSeconds: 9 })).to.equal('timestamp_out_of_tolerance');
    expect(offBy(900, { toleranceSeconds: 900 })).to.equal('accepted');
  });

  it('refuses a tolerance that is not a number, which would accept or reject everything', () => {
    for (const toleranceSeconds of [NaN, Infinity, -1]) {
      const header = headerOf(at);
      const thrown = thrownBy(() => verifyWebhook(body, header, secret, { now, toleranceSeconds }));
      expect(thrown, String(toleranceSeconds)).to.be.instanceOf(TypeError);
    }
  });

  it('says of a body that was parsed that its bytes are needed, and of each rejection what to look at', () => {
    const parsed: unknown = JSON.parse(body);
    const withoutTypes = (given: unknown): string =>
      String(
        thrownBy(() => {
          Reflect.apply(constructEvent, null, [given, headerOf(at), secret, { now }]);
        }),
      );
    expect(withoutTypes(parsed)).to.contain('The webhook’s body is parsed already').and.contain('express.raw');
    expect(withoutTypes(undefined)).to.contain('parsed already');
    expect(withoutTypes(body)).to.equal('undefined');
    const said = (header: string | undefined, options = {}): string =>
      String(thrownBy(() => verifyWebhook(body, header, secret, { now, ...options })));
    expect(said(undefined)).to.contain('the header Svc-Signature is missing');
    expect(said(headerOf(at, `${body} `))).to.contain('the secret is not this endpoint’s, or the body was changed');
    expect(said(headerOf(at), { now: 0 })).to.contain('clock');
  });

  it('uses the machine’s clock if no time is given', () => {
    expect(verdict(body, headerOf(Math.floor(Date.now() / 1000)), secret)).to.equal('accepted');
    expect(verdict(body, headerOf(at), secret)).to.equal('timestamp_out_of_tolerance');
  });

  it('names the secret that was forgotten, and never verifies with an empty one', () => {
    const missing =
      /^TypeError: The webhook signing secret is missing: pass the text that begins with svc_wh_\. developers\.webhook\.create returned it/;
    for (const work of [
      () => void verifyWebhook(body, headerOf(at), undefined, { now }),
      () => void constructEvent(body, headerOf(at), undefined, { now }),
      () => void verifyWebhook(body, headerOf(at, body, ''), '', { now }),
    ])
      expect(String(thrownBy(work))).to.match(missing);
  });

  it('rejects a different secret, body or time, however similar', () => {
    const others: readonly (readonly [string, string, string])[] = [
      [body, headerOf(at), `${secret} `],
      [body, headerOf(at), secret.replace('svc_wh_', '')],
      [`${body}\n`, headerOf(at), secret],
      [body.replace('ë', 'e'), headerOf(at), secret],
      [body.slice(1), headerOf(at), secret],
      [body, headerOf(at).replace(`t=${at}`, `t=${at + 1}`), secret],
      [body, headerOf(at).replace(/.$/, (last) => (last === '0' ? '1' : '0')), secret],
      [`5.${body}`, headerOf(at).replace(`t=${at}`, `t=${at}5`), secret],
    ];
    for (const [text, header, key] of others)
      expect(verdict(text, header, key, { now })).to.equal('signature_mismatch');
    expect(verdict(body, headerOf(at, body, 'other'), secret, { now })).to.equal('signature_mismatch');
  });

  it('accepts a header with several signatures if any of them is right', () => {
    const v1 = headerOf(at, body, 'the former secret').split(',')[1] ?? '';
    for (const header of [`${headerOf(at)},${v1}`, headerOf(at).replace(',', `,${v1},`)]) {
      expect(verdict(body, header, secret, { now })).to.equal('accepted');
      expect(constructEvent(body, header, secret, { now })).to.deep.equal(JSON.parse(body));
      expect(verdict(body, header, 'another secret', { now })).to.equal('signature_mismatch');
    }
  });

  it('rejects a malformed or missing header', () => {
    const v1 = headerOf(at).split('v1=')[1] ?? '';
    for (const header of [
      undefined,
      null,
      '',
      'nonsense',
      `v1=${v1}`,
      `t=${at}`,
      `t=,v1=${v1}`,
      `t=-1,v1=${v1}`,
      `t=1e9,v1=${v1}`,
      `t=1234567890123,v1=${v1}`,
      `t=${at}, v1=${v1}`,
      `t=${at};v1=${v1}`,
      `v1=${v1},t=${at}`,
      `t=${at},v1=${v1.toUpperCase()}`,
      `t=${at},v1=${v1.slice(1)}`,
      `t=${at},v1=${v1}0`,
      `t=${at},v1=${v1},v1=`,
      `t=${at}${`,v1=${v1}`.repeat(11)}`,
      `t=${at},v0=${v1}`,
      ` t=${at},v1=${v1}`,
      `t=${at},v1=${v1}\n`,
      `T=${at},v1=${v1}`,
    ]) {
      expect(verdict(body, header, secret, { now }), String(header)).to.equal('malformed_header');
    }
  });

  it('rejects a repeated header, whatever it contains', () => {
    for (const header of [[], [headerOf(at)], [headerOf(at), headerOf(at)]])
      expect(verdict(body, header, secret, { now }), header.join()).to.equal('malformed_header');
  });

  it('checks the signature before the time, so a forged header reveals nothing about the tolerance', () => {
    expect(verdict(body, headerOf(1, body, 'other'), secret, { now })).to.equal('signature_mismatch');
    expect(verdict(body, headerOf('000000000001'), secret, { now })).to.equal('timestamp_out_of_tolerance');
  });

  it('compares in constant time, and imports nothing but node:crypto, so that it can be copied', () => {
    const source = readFileSync(new URL('../../core/surfaces/sdk/verify-webhook.ts', import.meta.url), 'utf8');
    expect(source).to.match(/timingSafeEqual\(expected, /);
    expect(source).not.to.match(/expected\s*[!=]==?|\.equals\(/);
    expect([...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from)).to.deep.equal(['node:crypto']);
  });
});
