import { expect } from 'chai';
import type { Api } from '#test/support/api.js';
import type { TestAccount } from '#test/support/platform.js';
import { freshDomain, useDomains } from '#test/email/domain/support.js';
import { itNeeding } from '#test/support/products.js';
import { resultOf, runSvc, type Ran } from './support.js';

describe('svc: sending domains', function () {
  this.timeout(60_000);
  const { platform, names } = useDomains();
  const state: { account?: TestAccount } = {};
  before(async () => (state.account = await platform.account()));
  const svc = (...words: string[]): Promise<Ran> =>
    runSvc([...words, '--base-url', platform.running.address], { key: state.account?.keys.live.secret ?? '' });
  const add = async (api: Api | undefined, domain = freshDomain()) => {
    if (!api) throw new Error('There is no account yet.');
    return (await api.call('email.domain.add', { domain })).domain;
  };

  const addSegment = async (name: string) => {
    if (!state.account) throw new Error('There is no account yet.');
    const definition = { field: 'email', op: 'exists' } as const;
    return (await state.account.svc.call('audience.segment.create', { name, definition })).segment;
  };

  it('verify and get show each record once, with what was found and what to do', async () => {
    const added = await add(state.account?.svc);
    const [dmarc, ...others] = [...added.records].sort(({ purpose }) => (purpose === 'dmarc' ? -1 : 1));
    names.dns.txt(dmarc?.name ?? '', 'v=spam');
    const verified = await svc('email', 'domain', 'verify', '--domain-id', added.id, '--no-json');
    const shown = await svc('email', 'domain', 'get', '--domain-id', added.id, '--no-json');
    for (const { stdout } of [verified, shown]) {
      for (const { type, name, value } of added.records) {
        expect(stdout.split(value), `${name} once`).to.have.lengthOf(2);
        const [priority, host] = value.split(' ');
        const [article, what] =
          type === 'MX' ? ['an MX', `priority ${priority} and host ${host}`] : ['a TXT', 'this value'];
        expect(stdout).to.contain(`Publish ${article} record at ${name} with ${what}.`);
      }
      expect(stdout.match(/^ +found +v=spam$/gm), 'what was found').to.have.lengthOf(1);
      expect(stdout.match(/^ +ok +false$/gm)?.length).to.be.at.least(others.length);
    }
    const json = resultOf((await svc('email', 'domain', 'verify', '--domain-id', added.id)).stdout);
    expect(json, 'programs get the whole reply').to.have.nested.property('check.records[0].expected');
    expect(json).to.have.nested.property('domain.lastCheck.records[0].expected');
  });

  it('takes the domain itself in place of its id, with its flag and without', async () => {
    const { id, domain } = await add(state.account?.svc);
    const [verified, shown, unknown] = await Promise.all([
      svc('email', 'domain', 'verify', domain),
      svc('email', 'domain', 'get', '--domain-id', domain.toUpperCase()),
      svc('email', 'domain', 'remove', 'nobody.example.com', '--yes'),
    ]);
    for (const { stdout } of [verified, shown]) expect(resultOf(stdout)).to.have.nested.property('domain.id', id);
    expect(unknown.code).to.equal(4);
    expect(unknown.stderr).to.equal(
      'There is no domain “nobody.example.com” in this environment.\nfix: Pass the id or the domain of one that `svc email domain list` shows.\n',
    );
    const removed = await svc('email', 'domain', 'remove', domain, '--yes');
    expect(resultOf(removed.stdout)).to.have.nested.property('domain.id', id);
  });

  itNeeding('audience')('takes the name of a segment in place of its id, on every page of the list', async () => {
    const segment = await addSegment('Customers');
    for (let number = 0; number < 101; number += 1) await addSegment(`Other ${number}`);
    const shown = await svc('audience', 'segment', 'get', 'customers');
    expect(resultOf(shown.stdout)).to.have.nested.property('segment.id', segment.id);
    const contacts = await svc('audience', 'contact', 'list', '--segment-id', 'Customers');
    expect(resultOf(contacts.stdout)).to.deep.include({ contacts: [] });
  });
});
