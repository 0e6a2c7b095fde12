import { expect } from 'chai';
import { createAddressRules } from '#core/runtime/http-client/address-rules.js';
import { createHttpClient } from '#core/runtime/http-client/client.js';

const loopback = ['127.0.0.0/8'];

/** Refused with http allowed and no ranges allowed. Raw strings, because of backslashes. */
const hostile = [
  '',
  'https://exa mple.com/',
  ...String.raw`
    nonsense  //example.com/  https://  https://./  https://[::1  https://256.1.1.1/  https://1.2.3.4.5/
    ftp://example.com/  file:///etc/passwd  gopher://example.com/  javascript:alert(1)  data:text/plain,x
    ws://example.com/  blob:https://example.com/1  https://user@example.com/  https://user:secret@example.com/
    https://:secret@example.com/  https://example.com:0/  https://example.com:65536/

    https://127.0.0.1/  https://127.0.0.1./  https://127.1/  https://127.255.255.254/  https://0x7f.1/
    https://0x7f000001/  https://2130706433/  https://0177.0.0.1/  https://017700000001/  https://0/
    https://0.0.0.0/  https://①②⑦.0.0.1/  https://127。0。0。1/  https://%31%32%37.0.0.1/  https:\\127.0.0.1\
    https:127.0.0.1  https://example.com@127.0.0.1/  https://127.0.0.1#@example.com/  https://127.0.0.1\@example.com/
    https://[::1]/  https://[::]/  https://[0:0:0:0:0:0:0:1]/

    https://[::ffff:127.0.0.1]/  https://[::ffff:7f00:1]/  https://[::ffff:a9fe:a9fe]/  https://[::127.0.0.1]/
    https://[::7f00:1]/  https://[::ffff:0:127.0.0.1]/  https://[64:ff9b::127.0.0.1]/  https://[64:ff9b::10.0.0.1]/
    https://[64:ff9b:1::10.0.0.1]/  https://[2002:7f00:1::]/  https://[2002:a00:1::1]/  https://[2001:0:7f00:1::]/
    https://[2001:0:808:808:0:0:80ff:fffe]/  https://[2600::5efe:10.0.0.1]/  https://[2600::200:5efe:10.0.0.1]/

    https://10.0.0.1/  https://172.16.0.1/  https://172.31.255.255/  https://192.168.1.1/  https://100.64.0.1/
    https://100.100.100.200/  https://169.254.169.254/latest/meta-data/  https://168.63.129.16/  https://192.0.0.192/
    https://192.0.2.1/  https://198.18.0.1/  https://198.51.100.1/  https://203.0.113.1/  https://192.88.99.1/
    https://224.0.0.1/  https://240.0.0.1/  https://255.255.255.255/  https://[fe80::1]/  https://[fe80::1%25eth0]/
    https://[fc00::1]/  https://[fd00:ec2::254]/  https://[fec0::1]/  https://[ff02::1]/  https://[100::1]/
    https://[2001:db8::1]/  https://[3fff::1]/  https://[5f00::1]/  https://[4000::1]/  https://[1::1]/

    https://localhost/  https://LOCALHOST./  https://a.localhost/  https://printer.local/  https://local/
    https://metadata.google.internal/  https://host.docker.internal./  https://router.home.arpa/  https://intranet/
  `
    .trim()
    .split(/\s+/),
];

describe('HTTP client: allowed URLs', () => {
  const strict = createHttpClient({ allow: [] });
  const lenient = createHttpClient({ allow: loopback });
  after(() => Promise.all([strict.close(), lenient.close()]));

  for (const url of hostile) {
    it(`refuses '${url}' when it is stored and when it is called`, async () => {
      expect(strict.checkUrl(url, { http: true })).to.have.property('ok', false);
      const answer = await strict.request({ method: 'GET', url, headers: {}, http: true });
      expect(answer).to.deep.include({ ok: false }).and.to.have.nested.property('error.kind', 'url_not_allowed');
    });
  }

  it('accepts public addresses and names, and removes fragment and final dot', () => {
    const good = [
      'https://example.com/a?b=c',
      'https://example.com:8443/',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
    ];
    for (const url of good) expect(strict.checkUrl(url, { http: false })).to.have.nested.property('url.href', url);
    const verdict = strict.checkUrl('https://Example.COM./hook#part', { http: false });
    expect(verdict).to.have.nested.property('url.href', 'https://example.com/hook');
    for (const url of ['https://notlocalhost.com/', 'https://my-local.example/']) {
      expect(strict.checkUrl(url, { http: false }).ok).to.equal(true, url);
    }
  });

  it('accepts plain http only where it is allowed', async () => {
    expect(lenient.checkUrl('http://127.0.0.1/', { http: true }).ok).to.be.true;
    expect(lenient.checkUrl('http://127.0.0.1/', { http: false }).ok).to.be.false;
    const answer = await lenient.request({ method: 'GET', url: 'http://127.0.0.1:1/', headers: {} });
    expect(answer).to.have.nested.property('error.kind', 'url_not_allowed');
  });

  it('allows exactly the configured ranges', () => {
    const ok = (url: string): boolean => lenient.checkUrl(url, { http: true }).ok;
    expect(
      ['http://127.9.9.9/', 'http://[::ffff:127.0.0.1]/', 'http://localhost/', 'http://receiver.local/'].map(ok),
    ).to.deep.equal([true, true, true, true]);
    expect(
      ['http://10.0.0.1/', 'http://[::1]/', 'http://[::7f00:1]/', 'http://[64:ff9b::7f00:1]/'].map(ok),
    ).to.deep.equal([false, false, false, false]);
    const other = createAddressRules(['10.1.0.0/16', 'fd00::/8', '192.168.0.7', '::1']);
    expect(['10.1.2.3', 'fd12::1', '192.168.0.7', '::1', '8.8.8.8'].every(other.permits)).to.be.true;
    expect(['10.2.0.1', 'fc00::1', '192.168.0.8', '127.0.0.1', 'fe80::1%eth0', 'x', ''].some(other.permits)).to.be
      .false;
  });

  it('checks the address behind NAT64 even where its prefix is allowed', () => {
    const rules = createAddressRules(['64:ff9b::/96']);
    expect(rules.permits('64:ff9b::808:808')).to.be.true;
    expect(rules.permits('64:ff9b::a00:1')).to.be.false;
  });

  it('refuses an invalid range, naming the setting', () => {
    for (const range of ['10/8', '10.0.0.0/33', 'private', '', '010.0.0.0/8', 'fd00::/129']) {
      expect(() => createHttpClient({ allow: [range] }), range).to.throw(/SVC_OUTBOUND_ALLOW/);
    }
  });
});
