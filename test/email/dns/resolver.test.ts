import { expect } from 'chai';
import { createDnsResolver, DnsFailure } from '#plugins/email/dns-resolver.js';
import { startDns, type TestDns } from '#test/support/dns.js';

describe('The DNS resolver', () => {
  let dns: TestDns;
  before(async () => {
    dns = await startDns();
  });
  after(() => dns.close());

  it('joins the strings of a TXT record, and answers all records of the name', async () => {
    const long = `v=DKIM1; p=${'A'.repeat(700)}`;
    dns.txt('long.example.com', long, 'another');
    expect(await createDnsResolver([dns.server]).txt('long.example.com')).to.have.members([long, 'another']);
  });

  it('answers mail exchangers in lower case, the preferred one first', async () => {
    dns.mx('example.com', '20 b.example.net', '10 MX.Example.NET');
    expect(await createDnsResolver([dns.server]).mx('example.com')).to.deep.equal([
      { host: 'mx.example.net', priority: 10 },
      { host: 'b.example.net', priority: 20 },
    ]);
  });

  it('answers an empty list where the name or the record does not exist', async () => {
    dns.txt('text.example.com', 'only text');
    const resolver = createDnsResolver([dns.server]);
    expect(await resolver.txt('nobody.example.com')).to.deep.equal([]);
    expect(await resolver.mx('text.example.com')).to.deep.equal([]);
  });

  it('throws where the name server fails, which says nothing about the record', async () => {
    dns.txt('broken.example.com', 'there');
    dns.fail(['broken.example.com']);
    const error = await createDnsResolver([dns.server])
      .txt('broken.example.com')
      .catch((caught: unknown) => caught);
    dns.fail(null);
    expect(error).to.be.instanceOf(DnsFailure);
    expect(error).to.include({ hostname: 'broken.example.com', code: 'ESERVFAIL' });
  });

  it('throws where no name server answers', async () => {
    const error = await createDnsResolver(['127.0.0.1:1'])
      .txt('example.com')
      .catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(DnsFailure);
  });
});
