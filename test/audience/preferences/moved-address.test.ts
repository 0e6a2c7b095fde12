import { expect } from 'chai';
import { preferencesUrl, sealLink } from '#plugins/audience/preferences/token.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

describe('The link in a mail whose address has moved', () => {
  const platform = usePlatform();
  const consents = [{ topic: 'news', channel: 'email' as const, source: 'shop' }];
  const address = 'ada@example.com';

  const withNews = async (): Promise<TestAccount> => {
    const account = await platform.account();
    await account.svc.call('audience.topic.create', { key: 'news', name: 'News' });
    return account;
  };
  /** The URL in a mail to the address. */
  const mailed = ({ live }: TestAccount, contactId: string): string =>
    preferencesUrl(
      platform.running.services.vault,
      platform.running.address,
      contactId,
      { channel: 'email', topic: 'news' },
      {
        environmentId: live.id,
        address,
      },
    );
  const pageOf = (token: string): string => `${platform.running.address}/preferences?token=${token}`;
  const oneClick = async (url: string) => {
    const sent = await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    return { status: sent.status, text: await sent.text() };
  };
  const stateOf = async ({ svc }: TestAccount, contactId: string) => {
    const { consents: found } = await svc.call('audience.contact.get', { contactId });
    return found.map(({ state }) => state);
  };

  it('unsubscribes the contact that was added again after an erasure', async () => {
    const account = await withNews();
    const { svc } = account;
    const first = await svc.call('audience.contact.upsert', { email: address, consents });
    const url = mailed(account, first.contact.id);
    await svc.call('audience.contact.delete', { contactId: first.contact.id });
    const again = await svc.call('audience.contact.upsert', { email: address, consents });
    expect(await oneClick(url)).to.deep.equal({ status: 200, text: 'You are unsubscribed.\n' });
    expect(await stateOf(account, again.contact.id)).to.deep.equal(['revoked']);
  });

  for (const kind of ['in a mail', 'from audience.preferences.link'] as const)
    it(`unsubscribes who has the address now, not who had it: ${kind}`, async () => {
      const account = await withNews();
      const { svc } = account;
      const a = await svc.call('audience.contact.upsert', { email: address, externalId: 'a', consents });
      const own = await svc.call('audience.preferences.link', { contactId: a.contact.id });
      const url = kind === 'in a mail' ? mailed(account, a.contact.id) : pageOf(own.token);
      await svc.call('audience.contact.update', { contactId: a.contact.id, email: 'new@example.com' });
      const b = await svc.call('audience.contact.upsert', { email: address, externalId: 'b', consents });
      // The page of a link that is shown inside a product remains that of its user.
      const { preferences } = await svc.call('audience.preferences.get', { token: own.token });
      expect(preferences.email).to.equal('n•••@example.com');
      expect((await oneClick(url)).status).to.equal(200);
      expect(await stateOf(account, a.contact.id)).to.deep.equal(['granted']);
      const { suppressions, consents: left } = await svc.call('audience.contact.get', { contactId: b.contact.id });
      expect([...suppressions.map(({ reason }) => reason), ...left.map(({ state }) => state)]).to.include(
        kind === 'in a mail' ? 'revoked' : 'unsubscribe',
      );
    });

  it('is remembered for the address if nobody has it: the next contact there gets no mail, unless the reader allows it', async () => {
    const account = await withNews();
    const { svc, live } = account;
    const { contact } = await svc.call('audience.contact.upsert', { email: address, consents });
    const url = mailed(account, contact.id);
    await svc.call('audience.contact.update', { contactId: contact.id, email: 'new@example.com' });
    expect((await oneClick(url)).text).to.equal('You are unsubscribed.\n');
    expect(await oneClick(url)).to.include({ status: 200 });
    expect(await stateOf(account, contact.id)).to.deep.equal(['granted']);
    const suppressed = await svc.call('audience.suppression.list', { email: address });
    expect(suppressed.suppressions.map(({ reason, email }) => [reason, email])).to.deep.equal([['unsubscribe', null]]);
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types.filter((type) => type === 'audience.suppression.added')).to.have.length(1);

    const page = await fetch(url);
    expect(page.status).to.equal(200);
    expect(await page.text()).to.include('You’ve unsubscribed from all email newsletters');
    const token = new URL(url).searchParams.get('token') ?? '';
    const other = await svc.call('audience.contact.upsert', { email: address, externalId: 'other', consents });
    const found = await svc.call('audience.contact.get', { contactId: other.contact.id });
    expect(found.suppressions.map(({ reason }) => reason)).to.deep.equal(['unsubscribe']);
    await svc.call('audience.preferences.set', { token, email: { unsubscribeAll: false } });
    const allowed = await svc.call('audience.contact.get', { contactId: other.contact.id });
    expect(allowed.suppressions).to.deep.equal([]);
  });

  it('shows a page with the one button if nobody has the address, and refuses subscriptions there', async () => {
    const account = await withNews();
    const { svc } = account;
    const { contact } = await svc.call('audience.contact.upsert', { email: address });
    const url = mailed(account, contact.id);
    await svc.call('audience.contact.delete', { contactId: contact.id });
    const token = new URL(url).searchParams.get('token') ?? '';
    expect(await (await fetch(url)).text()).to.include('Unsubscribe from all newsletters');
    const refused = await svc.refusal('audience.preferences.set', { token, email: { topics: { news: true } } });
    expect(refused).to.include({ code: 'invalid_input' });
    const sent = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ do: 'unsubscribe' }),
    });
    expect(sent.status).to.equal(303);
    const { suppressions } = await svc.call('audience.suppression.list', { email: address });
    expect(suppressions.map(({ reason }) => reason)).to.deep.equal(['unsubscribe']);
  });

  it('works with older links, which have no digest, for a contact that was erased and added again', async () => {
    const account = await withNews();
    const { svc } = account;
    const { vault } = platform.running.services;
    const first = await svc.call('audience.contact.upsert', { email: address, consents });
    const message = { channel: 'email', topic: 'news' } as const;
    const token = sealLink(vault, { contactId: first.contact.id, message, expiresAt: null });
    await svc.call('audience.contact.delete', { contactId: first.contact.id });
    const again = await svc.call('audience.contact.upsert', { email: address, consents });
    expect((await oneClick(pageOf(token))).status).to.equal(200);
    expect(await stateOf(account, again.contact.id)).to.deep.equal(['revoked']);
  });
});
