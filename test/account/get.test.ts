import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('account.get', () => {
  const platform = usePlatform();

  it('shows the account behind the key, its projects and how many members it has', async () => {
    const { svc, accountId, projectId } = await platform.account();
    const { activityId, result } = await svc.envelope('account.get', {});
    expect(activityId).to.equal('');
    expect(result.account).to.include({
      id: accountId,
      name: 'Acme',
      country: null,
      closedAt: null,
      closedReason: null,
    });
    expect(result.projects.map((project) => project.id)).to.deep.equal([projectId]);
    expect(result.memberCount).to.equal(1);
  });

  it('answers the same under /v1', async () => {
    const { svc } = await platform.account();
    const plain = await svc.raw('/account/get', '{}');
    const versioned = await svc.raw('/v1/account/get', '{}');
    expect(versioned.text).to.equal(plain.text);
  });
});
