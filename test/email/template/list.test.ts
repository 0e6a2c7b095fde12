import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import type { Api } from '#test/support/api.js';
import { publish, texts } from './support.js';

describe('email.template.list', () => {
  const platform = usePlatform();

  /** The names of all pages. */
  const all = async (svc: Api, input: { system?: boolean; limit?: number } = {}): Promise<string[]> => {
    const names: string[] = [];
    for (let before: string | undefined; ;) {
      const page = await svc.call('email.template.list', { ...input, ...(before === undefined ? {} : { before }) });
      names.push(...page.templates.map(({ template }) => template));
      if (page.nextBefore === null) return names;
      before = page.nextBefore;
    }
  };

  it('lists the project’s own, newest first, and then the system ones by name', async () => {
    const { svc } = await platform.account();
    const system = await all(svc, { system: true });
    expect(system).to.include.members(['account.member.invite', 'developers.webhook.disabled']);
    expect(system).to.deep.equal(system.toSorted());
    await publish(svc, 'first');
    await svc.call('email.template.draft.save', { template: 'second', locales: { en: texts() } });
    expect(await all(svc, { system: false })).to.deep.equal(['second', 'first']);
    expect(await all(svc)).to.deep.equal(['second', 'first', ...system]);
    expect(await all(svc, { limit: 1 })).to.deep.equal(['second', 'first', ...system]);
    expect(await all(svc, { limit: 2 })).to.deep.equal(['second', 'first', ...system]);
  });

  it('lists a system template once, also where a draft replaces it, and never another environment’s or a deleted one', async () => {
    const { svc, svcTest } = await platform.account();
    const before = await all(svc, { system: true });
    await svc.call('email.template.draft.save', { template: 'account.member.invite', locales: { en: texts() } });
    await publish(svcTest, 'elsewhere');
    await publish(svc, 'gone');
    await svc.call('email.template.delete', { template: 'gone' });
    expect(await all(svc, { system: false })).to.deep.equal([]);
    for (const limit of [1, 2, 50]) {
      const names = await all(svc, { system: true, limit });
      expect(names.toSorted(), `pages of ${limit}`).to.deep.equal(before);
      expect(names[0]).to.equal('account.member.invite');
    }
  });

  it('refuses a cursor that no page gave', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('email.template.list', { before: 'nonsense' });
    expect(refused.details).to.deep.equal({ field: 'before' });
  });
});
