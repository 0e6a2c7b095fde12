import { expect } from 'chai';
import { addDomain, recordOf, useDomains } from './support.js';

describe('email.domain.verify: records that receivers do not accept', () => {
  const { platform, names } = useDomains();
  const relay = '_spf.relay-test.com';

  /** The fixes of some values of one record; `null` for a value that counts. */
  async function fixesOf(purpose: string, part: string, values: (value: string, name: string) => readonly string[]) {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    const { name, value } = recordOf(added, purpose, part);
    const fixes: (string | null | undefined)[] = [];
    for (const text of values(value, name)) {
      names.dns.txt(name, text);
      const { check } = await svc.call('email.domain.verify', { domainId: added.id });
      const found = check.records.find((each) => each.name === name && each.type === 'TXT');
      expect(found?.ok).to.equal(found?.fix === null);
      fixes.push(found?.fix);
    }
    return fixes;
  }
  /** Each value with a part of its fix. */
  async function expectFixes(
    purpose: string,
    part: string,
    cases: (value: string) => readonly (readonly [value: string, fix: string | null])[],
  ) {
    let parts: readonly (string | null)[] = [];
    const fixes = await fixesOf(purpose, part, (value) => {
      const given = cases(value);
      parts = given.map(([, fix]) => fix);
      return given.map(([text]) => text);
    });
    for (const [index, fix] of parts.entries())
      if (fix === null) expect(fixes[index], String(index)).to.equal(null);
      else expect(fixes[index], String(index)).to.contain(fix);
  }

  it('names mistakes in SPF records (RFC 7208)', () =>
    expectFixes('return_path', 'TXT', (value) => [
      [`v=spf1 -all include:${relay}`, 'before “all”'],
      [`v=spf1 redirect=${relay} ~all`, 'redirect is ignored beside all'],
      [`v=spf1 ~all redirect=${relay}`, 'redirect is ignored beside all'],
      [`v=spf1 include:${relay} foo ~all`, '“foo”'],
      [`v=spf1 include:${relay} ipv4:192.0.2.1 ~all`, '“ipv4:192.0.2.1”'],
      [`v=spf1 ip4:300.1.2.3 include:${relay} ~all`, '“ip4:300.1.2.3”'],
      [`v=spf1 ip4:192.0.2.0/33 include:${relay} ~all`, '“ip4:192.0.2.0/33”'],
      [`v=spf1 ip6:192.0.2.0 include:${relay} ~all`, '“ip6:192.0.2.0”'],
      [`v=spf1 include:${relay} include:nodots ~all`, '“include:nodots”'],
      [`v=spf1 include: ${relay} ~all`, 'Remove the space after “include:”'],
      [`v=spf1 -include:${relay} ~all`, 'Remove the “-”'],
      [`v=spf1 ?include:${relay} ~all`, 'Remove the “?”'],
      [`v=spf1 include:${relay} all:x.example`, '“all:x.example”'],
      [`v=spf1 redirect=${relay} redirect=${relay}`, 'Keep one “redirect=”'],
      [
        `v=spf1 ${Array.from({ length: 10 }, (_, index) => `include:a${index}.example.net`).join(' ')} include:${relay} ~all`,
        '11 need DNS lookups',
      ],
      [`"${value}"`, 'without quotation marks'],
      [`v=spf1  a mx/24//64 exists:%{i}._spf.example.net ip6:2001:db8::/32 +include:${relay}. -all unknown=%{d}`, null],
      [`V=SPF1 ${Array.from({ length: 9 }, () => 'a:x.example').join(' ')} include:${relay} ~all`, null],
      [`v=spf1 redirect=${relay}`, null],
      [value, null],
    ]));

  it('names mistakes in DKIM records (RFC 6376)', () =>
    expectFixes('dkim', 'svc1', (value) => {
      const key = value.slice(value.indexOf('p='));
      return [
        [`v=DKIM1; k=rsa; h=sha1; ${key}`, 'sha256'],
        [`v=DKIM1; k=rsa; s=tlsrpt; ${key}`, 's=tlsrpt'],
        [`v=DKIM1; k=rsa; t=y; ${key}`, 'testing'],
        [`v=DKIM1; k=rsa; t=s:y; ${key}`, 'testing'],
        [`k=rsa; v=DKIM1; ${key}`, 'first tag'],
        [`v=DKIM2; k=rsa; ${key}`, 'v=DKIM1'],
        [`v=DKIM1; k=ed25519; ${key}`, 'k=rsa'],
        [`v=DKIM1; k=rsa; P=${key.slice(2)}`, 'lower case'],
        [`v=DKIM1 k=rsa; ${key}`, 'v=DKIM1'],
        [`v=DKIM1; k=rsa; k=rsa; ${key}`, 'repeated'],
        [value.slice(0, 255), 'cut off'],
        [`"${value}"`, 'without quotation marks'],
        [`"${value.slice(0, 200)}" "${value.slice(200)}"`, 'without quotation marks'],
        [value.replaceAll(';', '\\;'), 'without quotation marks and backslashes'],
        ['keys.provider.example', 'only the host name keys.provider.example'],
        [`v=DKIM1; k=rsa; h=sha1:sha256; s=email; t=s; n=note; ${key};`, null],
        [`  v = DKIM1 ; ${key.replace('p=', 'p = ')} `, null],
        [value, null],
      ];
    }));

  it('names mistakes in DMARC records (RFC 7489)', () =>
    expectFixes('dmarc', '', (value) => [
      ['v=DMARC1', 'Add a policy'],
      ['v=DMARC1; p=foo', 'Add a policy'],
      ['v=DMARC1; p=none; sp=foo', 'Add a policy'],
      [`"${value}"`, 'without quotation marks'],
      ['v=DMARC1; rua=mailto:d@example.com', null],
      ['v=DMARC1; P=Reject; pct=50', null],
      [value, null],
    ]));

  it('finds a record whose name has the domain twice', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    for (const { type, name, value } of added.records) {
      if (type === 'MX') names.dns.mx(`${name}.${added.domain}`, value);
      else names.dns.txt(`${name}.${added.domain}`, value);
    }
    const { check } = await svc.call('email.domain.verify', { domainId: added.id });
    for (const { name, type, ok, fix } of check.records)
      expect([ok, fix]).to.deep.equal([
        false,
        `Move the ${type} record from ${name}.${added.domain} to ${name}: the DNS panel adds the domain to the name itself.`,
      ]);
  });
});
