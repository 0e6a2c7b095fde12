import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('email.message.list: tags', () => {
  needProducts('email');
  const platform = usePlatform();

  it('refuses a tag without a value, and says how one is written', async () => {
    const { svc } = await platform.account();
    const days = { since: '2026-01-01', until: '2026-01-02' };
    for (const refused of [
      await svc.refusal('email.message.list', { tag: 'campaign' }),
      await svc.refusal('email.stats.get', { ...days, tag: 'campaign' }),
    ])
      expect(refused.message).to.contain('The field “tag” must be a tag with its value as name=value');
  });
});
