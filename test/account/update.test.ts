import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, keyOf } from './support.js';

describe('account.update', () => {
  const platform = usePlatform();

  it('changes only the given fields, with an event and the changes in the audit record', async () => {
    const { svc, live, accountId } = await platform.account();
    const first = await svc.call('account.update', { country: 'DE', heardFrom: 'search', heardFromDetail: 'news' });
    expect(first.account).to.include({ name: 'Acme', country: 'DE', heardFrom: 'search', heardFromDetail: 'news' });
    const { activityId, result } = await svc.envelope('account.update', { name: 'Acme Ltd', heardFromDetail: null });
    const { updatedAt } = result.account;
    expect(updatedAt > first.account.updatedAt).to.equal(true);
    expect(result.account).to.deep.equal({ ...first.account, name: 'Acme Ltd', heardFromDetail: null, updatedAt });
    expect((await svc.call('account.get', {})).account).to.deep.equal(result.account);
    expect((await platform.events(live)).at(-1)).to.deep.equal({
      type: 'account.updated',
      subjectId: accountId,
      activityId,
      data: result,
    });
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'account.update',
      subjectId: accountId,
      accountWide: true,
      changes: [
        { field: 'name', from: 'Acme', to: 'Acme Ltd' },
        { field: 'heardFromDetail', from: 'news', to: null },
      ],
    });
  });

  it('emits no event when nothing changes', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope('account.update', { name: 'Acme', country: null });
    expect(result.account.name).to.equal('Acme');
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([]);
    expect((await platform.events(live)).map(({ type }) => type)).not.to.include('account.updated');
  });

  it('keeps all changes of ten concurrent calls to different fields', async () => {
    const { svc } = await platform.account();
    const inputs = [{ name: 'New' }, { country: 'FR' }, { heardFrom: 'event' as const }, { heardFromDetail: 'x' }];
    await Promise.all(Array.from({ length: 12 }, (_, n) => svc.call('account.update', inputs[n % 4] ?? {})));
    const { account } = await svc.call('account.get', {});
    expect(account).to.include({ name: 'New', country: 'FR', heardFrom: 'event', heardFromDetail: 'x' });
  });

  it('writes its event in the calling environment, and is visible in every one', async () => {
    const { svc, svcTest, test, live } = await platform.account();
    const other = await platform.account();
    await svc.call('account.update', { name: 'From live' });
    expect((await platform.events(live)).at(-1)?.type).to.equal('account.updated');
    expect((await platform.events(test)).map(({ type }) => type)).not.to.include('account.updated');
    expect((await svcTest.call('account.get', {})).account.name).to.equal('From live');
    expect((await other.svc.call('account.get', {})).account.name).to.equal('Acme');
  });

  it('needs account:write', async () => {
    const account = await platform.account();
    const viewer = await keyOf(platform, account, { role: 'viewer', permissions: ['account:read'] });
    expect(await viewer.refusal('account.update', { name: 'Eve' })).to.include({
      status: 403,
      code: 'permission_required',
    });
  });

  it('refuses an invalid name, country or source, naming the field', async () => {
    const { svc } = await platform.account();
    const cases: readonly (readonly [field: string, input: unknown])[] = [
      ['body', {}],
      ['name', { name: '' }],
      ['name', { name: null }],
      ['name', { name: 'x'.repeat(121) }],
      ['country', { country: 'UK' }],
      ['country', { country: 'ZZ' }],
      ['country', { country: 'de' }],
      ['heardFrom', { heardFrom: 'television' }],
      ['heardFromDetail', { heardFromDetail: 'x'.repeat(501) }],
      ['closedAt', { name: 'x', closedAt: null }],
      ['operator', { operator: true }],
    ];
    for (const [field, input] of cases) {
      const { code, details } = await svc.refusal('account.update', input);
      expect({ code, details }).to.deep.equal({ code: 'invalid_input', details: { field } });
    }
    expect((await svc.call('account.get', {})).account).to.include({ name: 'Acme', country: null });
  });
});
