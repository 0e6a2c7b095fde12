import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { Role } from '#core/kernel/caller/caller.js';
import type { Api } from '#test/support/api.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { addMember, auditOf, eventNames, keyOf } from '../support.js';

describe('The open invitations of a member', () => {
  needProducts('email');
  const platform = usePlatform();
  const guest = (): string => `guest-${randomBytes(4).toString('hex')}@example.com`;

  /** An account with a second owner, who calls with a key of theirs. */
  async function withOwner(): Promise<{ account: TestAccount; memberId: string; theirs: Api }> {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'owner' });
    return { account, memberId: id, theirs: await keyOf(platform, account, { role: 'owner', memberId: id }) };
  }
  const invite = async (api: Api, role: Role, email = guest()): Promise<string> =>
    (await api.call('account.member.invite', { email, role })).member.id;
  const statusOf = async ({ svc }: TestAccount, id: string): Promise<string | undefined> => {
    const lists = await Promise.all([
      svc.call('account.member.list', {}),
      svc.call('account.member.list', { status: 'removed' }),
    ]);
    return lists.flatMap(({ members }) => members).find((each) => each.id === id)?.status;
  };

  it('end with the member’s removal, with an event each, and the audit record names them', async () => {
    const { account, memberId, theirs } = await withOwner();
    const [first, second] = [await invite(theirs, 'owner'), await invite(theirs, 'viewer')];
    const kept = await invite(account.svc, 'owner');
    const { activityId } = await account.svc.envelope('account.member.remove', { memberId });
    expect(await Promise.all([first, second, kept].map((id) => statusOf(account, id)))).to.deep.equal([
      'removed',
      'removed',
      'invited',
    ]);
    const { changes } = await auditOf(platform, activityId);
    expect(JSON.stringify(changes)).to.contain(first).and.to.contain(second).and.not.to.contain(kept);
    const events = await eventNames(platform, account.live);
    expect(events.filter((name) => name === 'account.member.removed')).to.have.length(3);
  });

  it('end with a weaker role as far as that role could not send them', async () => {
    const { account, memberId, theirs } = await withOwner();
    const invited = { owner: await invite(theirs, 'owner'), admin: await invite(theirs, 'admin') };
    await account.svc.call('account.member.role.set', { memberId, role: 'admin' });
    expect(await statusOf(account, invited.owner)).to.equal('removed');
    expect(await statusOf(account, invited.admin)).to.equal('invited');
    await account.svc.call('account.member.role.set', { memberId, role: 'developer' });
    expect(await statusOf(account, invited.admin)).to.equal('removed');
  });

  it('are those that the member sent last or gave their role, whoever sent them first', async () => {
    const { account, memberId, theirs } = await withOwner();
    const [taken, resent, raised] = [guest(), guest(), guest()];
    const ids = {
      taken: await invite(theirs, 'viewer', taken),
      resent: await invite(account.svc, 'viewer', resent),
      raised: await invite(account.svc, 'viewer', raised),
    };
    await invite(account.svc, 'viewer', taken);
    await invite(theirs, 'viewer', resent);
    await theirs.call('account.member.role.set', { memberId: ids.raised, role: 'owner' });
    await account.svc.call('account.member.remove', { memberId });
    expect(await statusOf(account, ids.taken)).to.equal('invited');
    expect(await statusOf(account, ids.resent)).to.equal('removed');
    expect(await statusOf(account, ids.raised)).to.equal('removed');
  });

  it('leave the webhook endpoints that the member made, which the audit record names', async () => {
    const { account, memberId, theirs } = await withOwner();
    const url = 'https://hooks.example.com/theirs';
    const { endpoint } = await theirs.call('developers.webhook.create', { url });
    const { activityId } = await account.svc.envelope('account.member.remove', { memberId });
    const { changes } = await auditOf(platform, activityId);
    expect(changes).to.deep.include({
      field: 'webhookEndpoints',
      from: null,
      to: [{ id: endpoint.endpointId, environmentId: account.live.id, url }],
    });
    const { endpoints } = await account.svc.call('developers.webhook.list', {});
    expect(endpoints.map(({ status }) => status)).to.deep.equal(['enabled']);
  });
});
