import { expect } from 'chai';
import type { Api } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf } from '#test/account/support.js';
import { expectedFields, refusedFields, type RefusedCases } from '../support.js';

describe('email.sender.set', () => {
  const platform = usePlatform();

  const domainOf = async (svc: Api): Promise<string> =>
    (await svc.call('email.sender.get', {})).ownAddress.split('@')[1] ?? '';

  it('sets every field, with an event and an audit record of the changes', async () => {
    const { svc, live } = await platform.account();
    const from = `shop@${await domainOf(svc)}`;
    const input = { from, fromName: 'Shop', replyTo: 'help@example.com', legalAddress: '1 High Street\nLondon' };
    const { activityId, result } = await svc.envelope('email.sender.set', input);
    expect(result.sender).to.deep.equal({ ...input, updatedAt: platform.clock.now().toISOString() });
    const [told] = await platform.events(live);
    expect(told).to.deep.equal({ type: 'email.sender.changed', subjectId: live.id, activityId, data: result });
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'from', from: null, to: from },
      { field: 'fromName', from: null, to: 'Shop' },
      { field: 'replyTo', from: null, to: 'help@example.com' },
      { field: 'legalAddress', from: null, to: '1 High Street\nLondon' },
    ]);
  });

  it('takes the name with the address, unless fromName says another', async () => {
    const { svc } = await platform.account();
    const from = `shop@${await domainOf(svc)}`;
    const named = await svc.call('email.sender.set', { from: `"Shop, London" <${from}>` });
    expect(named.sender).to.include({ from, fromName: 'Shop, London' });
    const bare = await svc.call('email.sender.set', { from });
    expect(bare.sender.fromName, 'kept').to.equal('Shop, London');
    const both = await svc.call('email.sender.set', { from: `Other <${from}>`, fromName: 'Shop' });
    expect(both.sender.fromName).to.equal('Shop');
  });

  it('keeps absent fields and clears empty ones', async () => {
    const { svc } = await platform.account();
    const from = `shop@${await domainOf(svc)}`;
    await svc.call('email.sender.set', { from, fromName: 'Shop', replyTo: 'help@example.com', legalAddress: 'London' });
    const emptied = await svc.call('email.sender.set', { replyTo: null, fromName: '', legalAddress: '' });
    expect(emptied.sender).to.include({ from, fromName: null, replyTo: null, legalAddress: null });
    await svc.call('email.sender.set', { fromName: 'Shop', legalAddress: 'London' });
    const blank = await svc.call('email.sender.set', { fromName: ' ', legalAddress: ' \n\u00a0' });
    expect(blank.sender, 'blank ones are none').to.include({ fromName: null, legalAddress: null });
  });

  it('emits no event when nothing changes', async () => {
    const { svc, live } = await platform.account();
    const first = await svc.call('email.sender.set', { fromName: 'Shop' });
    platform.clock.advance(minutes(1));
    const again = await svc.envelope('email.sender.set', { fromName: 'Shop' });
    expect(again.result, 'updatedAt included').to.deep.equal(first);
    expect((await platform.events(live)).map(({ type }) => type)).to.deep.equal(['email.sender.changed']);
    expect((await auditOf(platform, again.activityId)).changes).to.deep.equal([]);
  });

  it('merges two concurrent first calls', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { svc, live } = await platform.account();
      const from = `shop@${await domainOf(svc)}`;
      const parts = [{ from }, { fromName: 'Shop' }, { replyTo: 'help@example.com' }, { legalAddress: 'London' }];
      await Promise.all(parts.map((input) => svc.call('email.sender.set', input)));
      const { sender } = await svc.call('email.sender.get', {});
      expect(sender).to.include({ from, fromName: 'Shop', replyTo: 'help@example.com', legalAddress: 'London' });
      expect((await platform.events(live)).map(({ type }) => type)).to.deep.equal(
        parts.map(() => 'email.sender.changed'),
      );
    }
  });

  it('refuses an address on another domain, and keeps the sender', async () => {
    const { svc, live } = await platform.account();
    const other = await platform.account();
    const theirs = (await other.svc.call('email.sender.get', {})).ownAddress;
    for (const from of ['shop@example.com', theirs]) {
      const refusal = await svc.refusal('email.sender.set', { from, fromName: 'Eve' });
      expect(refusal).to.include({ status: 403, code: 'sender_not_verified' });
    }
    expect((await svc.call('email.sender.get', {})).sender).to.include({ from: null, fromName: null });
    expect(await platform.events(live)).to.deep.equal([]);
  });

  it('refuses values that a header cannot contain, naming the field', async () => {
    const { svc } = await platform.account();
    const own = (await svc.call('email.sender.get', {})).ownAddress;
    const cases: RefusedCases = [
      ['nothing', {}, 'body'],
      ['unknown', { name: 'Shop' }, 'name'],
      ['a line break in from', { from: `${own}\r\nBcc: eve@example.com` }, 'from'],
      ['two addresses', { from: `${own}, eve@example.com` }, 'from'],
      ['no from', { from: null }, 'from'],
      ['a line break in fromName', { fromName: 'Shop\r\nBcc: eve@example.com' }, 'fromName'],
      ['NUL in fromName', { fromName: 'Shop\0' }, 'fromName'],
      ['an encoded word in fromName', { fromName: '=?utf-8?q?Eve?=' }, 'fromName'],
      ['a long fromName', { fromName: 'x'.repeat(121) }, 'fromName'],
      ['a named replyTo', { replyTo: 'Ada <ada@example.com>' }, 'replyTo'],
      ['a line break in replyTo', { replyTo: 'ada@example.com\n' }, 'replyTo'],
      ['a long legalAddress', { legalAddress: 'x'.repeat(501) }, 'legalAddress'],
      ['NUL in legalAddress', { legalAddress: 'London\0' }, 'legalAddress'],
      ['half a character in legalAddress', { legalAddress: 'London\ud83e' }, 'legalAddress'],
    ];
    expect(await refusedFields(svc, 'email.sender.set', cases)).to.deep.equal(expectedFields(cases));
  });
});
