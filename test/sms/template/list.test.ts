import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { publish } from './support.js';

describe('sms.template.list', () => {
  const platform = usePlatform();

  it('lists the environment’s own, newest first, by page', async () => {
    const { svc, svcTest } = await platform.account();
    await publish(svc, 'first');
    await publish(svc, 'second');
    await publish(svcTest, 'elsewhere');
    await publish(svc, 'gone');
    await svc.call('sms.template.delete', { template: 'gone' });
    const page = await svc.call('sms.template.list', { system: false, limit: 1 });
    expect(page.templates.map(({ template }) => template)).to.deep.equal(['second']);
    const rest = await svc.call('sms.template.list', { system: false, limit: 1, before: page.nextBefore ?? '' });
    expect(rest.templates.map(({ template }) => template)).to.deep.equal(['first']);
    expect(rest.nextBefore).to.equal(null);
  });

  it('refuses a cursor that no page gave', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('sms.template.list', { before: 'nonsense' });
    expect(refused.details).to.deep.equal({ field: 'before' });
  });
});
