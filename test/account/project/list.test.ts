import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('account.project.list', () => {
  const platform = usePlatform();

  it('lists the account’s projects with their environments, newest first', async () => {
    const account = await platform.account();
    const { project, environments } = await account.svc.call('account.project.create', { name: 'Second' });
    const { activityId, result } = await account.svc.envelope('account.project.list', {});
    expect(activityId).to.equal('');
    expect(result.nextBefore).to.equal(null);
    expect(result.projects.map(({ id }) => id)).to.deep.equal([project.id, account.projectId]);
    expect(result.projects[0]).to.deep.equal({ ...project, environments });
    expect(result.projects[1]?.environments.map(({ id, kind }) => ({ id, kind }))).to.deep.equal([
      { id: account.live.id, kind: 'live' },
      { id: account.test.id, kind: 'test' },
    ]);
  });

  it('pages through the projects without gap or repeat', async () => {
    const account = await platform.account();
    for (const name of ['B', 'C']) await account.svc.call('account.project.create', { name });
    const first = await account.svc.call('account.project.list', { limit: 2 });
    expect(first.projects.map(({ name }) => name)).to.deep.equal(['C', 'B']);
    const last = await account.svc.call('account.project.list', { limit: 2, before: first.nextBefore ?? '' });
    expect(last.projects.map(({ id }) => id)).to.deep.equal([account.projectId]);
    expect(last.nextBefore).to.equal(null);
  });

  it('shows no project of another account', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    await other.svc.call('account.project.create', { name: 'Theirs' });
    const { projects } = await account.svcTest.call('account.project.list', {});
    expect(projects.map(({ id }) => id)).to.deep.equal([account.projectId]);
  });
});
