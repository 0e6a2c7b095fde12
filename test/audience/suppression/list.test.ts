import { expect } from 'chai';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { contactOf } from '../support.js';
import { suppress } from './support.js';

describe('audience.suppression.list', () => {
  const platform = usePlatform();

  const filled = async (): Promise<TestAccount> => {
    const account = await platform.account();
    const { live } = account;
    const [ada, bob, line] = ['ada@example.com', 'bob@example.com', '+4915123456789'];
    await suppress(platform, live, { channel: 'email', address: ada, reason: 'bounce' });
    await suppress(platform, live, { channel: 'email', address: ada, reason: 'complaint' });
    await suppress(platform, live, { channel: 'email', address: bob, reason: 'unsubscribe' });
    await suppress(platform, live, { channel: 'sms', address: line, reason: 'stop' });
    await suppress(platform, live, { channel: 'sms', address: line, reason: 'manual' });
    return account;
  };

  it('lists active and lifted suppressions, newest first', async () => {
    const { svc } = await filled();
    const { suppressions: before } = await svc.call('audience.suppression.list', { reason: 'bounce' });
    await svc.call('audience.suppression.lift', { suppressionId: before[0]?.id ?? '' });
    const { suppressions, nextBefore } = await svc.call('audience.suppression.list', {});
    expect(suppressions.map((each) => [each.reason, each.email ?? each.phone, each.liftedAt !== null])).to.deep.equal([
      ['manual', '+4915123456789', false],
      ['stop', '+4915123456789', false],
      ['unsubscribe', 'bob@example.com', false],
      ['complaint', 'ada@example.com', false],
      ['bounce', 'ada@example.com', true],
    ]);
    expect(nextBefore).to.equal(null);
  });

  it('filters by channel, reason, address and number, in any spelling', async () => {
    const { svc } = await filled();
    const reasons = async (filter: object): Promise<string[]> =>
      (await svc.call('audience.suppression.list', filter)).suppressions.map(({ reason }) => reason);
    expect(await reasons({ channel: 'sms' })).to.deep.equal(['manual', 'stop']);
    expect(await reasons({ reason: 'complaint' })).to.deep.equal(['complaint']);
    expect(await reasons({ email: 'ADA@Example.com' })).to.deep.equal(['complaint', 'bounce']);
    expect(await reasons({ phone: '+49 1512 3456789' })).to.deep.equal(['manual', 'stop']);
    expect(await reasons({ email: 'ada@example.com', reason: 'bounce' })).to.deep.equal(['bounce']);
    expect(await reasons({ email: 'ada@example.com', channel: 'sms' })).to.deep.equal([]);
    expect(await reasons({ email: 'ada@example.com', phone: '+4915123456789' })).to.deep.equal([]);
    expect(await reasons({ email: 'nobody@example.com' })).to.deep.equal([]);
  });

  it('finds an erased person’s suppression by the address, without showing the address', async () => {
    const { svc } = await filled();
    const { id: contactId } = await contactOf(svc);
    await svc.call('audience.contact.delete', { contactId });
    await platform.settled();
    const { suppressions } = await svc.call('audience.suppression.list', { email: 'ada@example.com' });
    expect(suppressions.map(({ reason, email }) => [reason, email])).to.deep.equal([
      ['complaint', null],
      ['bounce', null],
    ]);
  });

  it('pages consistently while others are added', async () => {
    const { svc } = await filled();
    const first = await svc.call('audience.suppression.list', { limit: 2 });
    expect(first.suppressions.map(({ reason }) => reason)).to.deep.equal(['manual', 'stop']);
    await svc.call('audience.suppression.add', { email: 'late@example.com' });
    const second = await svc.call('audience.suppression.list', { limit: 2, before: first.nextBefore ?? '' });
    expect(second.suppressions.map(({ reason }) => reason)).to.deep.equal(['unsubscribe', 'complaint']);
    const third = await svc.call('audience.suppression.list', { limit: 2, before: second.nextBefore ?? '' });
    expect(third.suppressions.map(({ reason }) => reason)).to.deep.equal(['bounce']);
    expect(third.nextBefore).to.equal(null);
  });

  it('shows nothing of another environment', async () => {
    const { svcTest } = await filled();
    expect(await svcTest.call('audience.suppression.list', {})).to.deep.equal({ suppressions: [], nextBefore: null });
    const { suppressions } = await svcTest.call('audience.suppression.list', { email: 'ada@example.com' });
    expect(suppressions).to.deep.equal([]);
  });

  it('refuses invalid filters', async () => {
    const { svc } = await platform.account();
    for (const input of [{ channel: 'fax' }, { reason: 'spam' }, { email: 'ada' }, { phone: '0151' }, { before: 'x' }])
      expect(await svc.refusal('audience.suppression.list', input), JSON.stringify(input)).to.include({
        status: 400,
        code: 'invalid_input',
      });
  });
});
