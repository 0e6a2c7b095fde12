import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { contactOf, topicOf } from '../support.js';

describe('An opt-out at an address that the contact no longer has', () => {
  const platform = usePlatform();
  const claim = { topic: 'news', channel: 'email' as const, source: 'old list' };
  const email = 'ada@example.com';
  const ago = (ms: number): string => new Date(platform.clock.now().getTime() - ms).toISOString();

  /** Ada opted out two hours ago and changed her address one hour ago. */
  async function moved(): Promise<TestAccount> {
    const account = await platform.account();
    const { svc } = account;
    await topicOf(svc);
    const { id: contactId } = await contactOf(svc, { email, consents: [{ ...claim, source: 'form' }] });
    await svc.call('audience.consent.revoke', { contactId, topic: 'news', channel: 'email', source: 'call' });
    platform.clock.advance(hours(1));
    await svc.call('audience.contact.update', { contactId, email: 'lovelace@example.com' });
    platform.clock.advance(hours(1));
    return account;
  }

  const statesOf = async ({ svc }: TestAccount): Promise<string[]> =>
    (await svc.call('audience.contact.get', { email })).consents.map(({ state }) => state);

  it('outweighs older evidence for the contact that has the address now', async () => {
    const account = await moved();
    await account.svc.call('audience.contact.upsert', { email, consents: [{ ...claim, givenAt: ago(hours(3)) }] });
    expect(await statesOf(account)).to.deep.equal([]);
  });

  itNeeding('email')('ends mail to the contact that has the address now', async () => {
    const account = await moved();
    await account.svc.call('audience.contact.upsert', { email, consents: [{ ...claim, givenAt: ago(hours(3)) }] });
    const { status } = await account.svc.call('email.send', { to: email, topic: 'news', subject: 'A', text: 'B' });
    expect(status).to.equal('suppressed');
  });

  it('outweighs an undated consent of an import', async () => {
    const account = await moved();
    await account.svc.call('audience.contact.import', { contacts: [{ email, consents: [claim] }] });
    await platform.settled();
    expect(await statesOf(account)).to.deep.equal([]);
  });

  it('does not outweigh a later consent, and applies to its own environment only', async () => {
    const account = await moved();
    const later = { email, consents: [{ ...claim, givenAt: ago(hours(1)) }] };
    await account.svc.call('audience.contact.upsert', later);
    expect(await statesOf(account)).to.deep.equal(['granted']);
    const stranger = await platform.account();
    await topicOf(stranger.svc);
    await stranger.svc.call('audience.contact.upsert', { email, consents: [{ ...claim, givenAt: ago(hours(3)) }] });
    expect(await statesOf(stranger)).to.deep.equal(['granted']);
  });
});
