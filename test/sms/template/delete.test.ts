import { expect } from 'chai';
import { markTemplateReferenced } from '#core/messaging/templates/references.js';
import { newId } from '#core/runtime/id.js';
import { smsTemplates } from '#plugins/sms/templates/channel.js';
import { smsReferences } from '#plugins/sms/tables/reference.js';
import { usePlatform } from '#test/support/platform.js';
import { publish } from './support.js';

describe('sms.template.delete', () => {
  const platform = usePlatform();

  it('deletes draft and versions, once, and goes on counting versions', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome');
    const { template } = await svc.call('sms.template.delete', { template: 'welcome' });
    expect(template).to.deep.include({ template: 'welcome', publishedVersion: null, hasDraft: false });
    expect((await svc.refusal('sms.template.get', { template: 'welcome' })).code).to.equal('not_found');
    expect(await svc.call('sms.template.delete', { template: 'welcome' })).to.deep.equal({ template });
    expect((await svc.refusal('sms.template.delete', { template: 'never' })).code).to.equal('not_found');
    await platform.settled();
    expect((await platform.events(live)).filter(({ type }) => type === 'sms.template.deleted')).to.have.length(1);
    expect((await publish(svc, 'welcome')).version).to.equal(2);
  });

  it('is refused while something open uses the template', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome');
    const broadcast = newId();
    const { transaction } = platform.running.services;
    const used = { environmentId: live.id, template: 'welcome' };
    await transaction('Test', ({ db }) =>
      markTemplateReferenced(db, smsTemplates, smsReferences, used, { type: 'broadcast', id: broadcast }),
    );
    const refused = await svc.refusal('sms.template.delete', { template: 'welcome' });
    expect(refused).to.include({ code: 'template_in_use', status: 409 });
    expect(refused.message).to.contain('1 broadcast');
    await transaction('Test', ({ db }) => smsReferences.freeReferences(db, broadcast));
    await svc.call('sms.template.delete', { template: 'welcome' });
  });
});
