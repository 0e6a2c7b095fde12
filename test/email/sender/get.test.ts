import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('email.sender.get', () => {
  const platform = usePlatform({ settings: () => ({ SVC_MAIL_DOMAIN: 'mail.example.com' }) });

  it('shows an unset sender and the project’s own address', async () => {
    const { svc, svcTest, projectId } = await platform.account();
    const { activityId, result } = await svc.envelope('email.sender.get', {});
    expect(activityId).to.equal('');
    const { projects } = await svc.call('account.get', {});
    const slug = projects.find(({ id }) => id === projectId)?.slug ?? '';
    expect(result).to.deep.equal({
      sender: { from: null, fromName: null, replyTo: null, legalAddress: null, updatedAt: null },
      ownAddress: `hello@${slug}.mail.example.com`,
      smtp: null,
    });
    expect((await svcTest.call('email.sender.get', {})).ownAddress).to.equal(result.ownAddress);
  });

  it('shows what was set, only in its own environment', async () => {
    const { svc, svcTest } = await platform.account();
    const other = await platform.account();
    const { sender } = await svc.call('email.sender.set', { fromName: 'Shop', legalAddress: '1 High Street\nLondon' });
    expect((await svc.call('email.sender.get', {})).sender).to.deep.equal(sender);
    for (const elsewhere of [svcTest, other.svc])
      expect((await elsewhere.call('email.sender.get', {})).sender.fromName).to.equal(null);
  });

  it('takes no input', async () => {
    const { svc } = await platform.account();
    expect(await svc.refusal('email.sender.get', { environmentId: 'x' })).to.deep.include({
      code: 'invalid_input',
      details: { field: 'environmentId' },
    });
  });
});
