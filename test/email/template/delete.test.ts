import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { markTemplateReferenced } from '#plugins/email/templates/references.js';
import { freeReferences } from '#plugins/email/senders/references.js';
import { usePlatform } from '#test/support/platform.js';
import { publish } from './support.js';

describe('email.template.delete', () => {
  const platform = usePlatform();

  it('deletes draft and versions, once', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome');
    const { template } = await svc.call('email.template.delete', { template: 'welcome' });
    expect(template).to.deep.include({ template: 'welcome', publishedVersion: null, hasDraft: false });
    expect((await svc.refusal('email.template.get', { template: 'welcome' })).code).to.equal('not_found');
    expect(await svc.call('email.template.delete', { template: 'welcome' })).to.deep.equal({ template });
    expect((await svc.refusal('email.template.delete', { template: 'never' })).code).to.equal('not_found');
    await platform.settled();
    expect((await platform.events(live)).filter(({ type }) => type === 'email.template.deleted')).to.have.length(1);
  });

  it('goes on counting versions when the name is used again', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome');
    await svc.call('email.template.delete', { template: 'welcome' });
    expect((await publish(svc, 'welcome')).version).to.equal(2);
    const { versions } = await svc.call('email.template.get', { template: 'welcome' });
    expect(versions.map(({ version }) => version)).to.deep.equal([2]);
    expect((await svc.refusal('email.template.get', { template: 'welcome', version: 1 })).code).to.equal('not_found');
  });

  it('is refused while something open uses the template', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome');
    const [broadcast, automation] = [newId(), newId()];
    const { transaction } = platform.running.services;
    await transaction('Test', async (context) => {
      await markTemplateReferenced(context, live.id, 'welcome', { type: 'broadcast', id: broadcast });
      await markTemplateReferenced(context, live.id, 'welcome', { type: 'automation', id: automation });
    });
    const refused = await svc.refusal('email.template.delete', { template: 'welcome' });
    expect(refused).to.include({ code: 'template_in_use', status: 409 });
    expect(refused.message).to.contain(`1 automation (${automation}) and 1 broadcast (${broadcast})`);
    await transaction('Test', async ({ db }) => {
      await freeReferences(db, broadcast);
      await freeReferences(db, automation);
    });
    await svc.call('email.template.delete', { template: 'welcome' });
  });

  it('gives a system template its built-in texts back', async () => {
    const { svc } = await platform.account();
    const template = 'account.member.invite';
    const before = await svc.call('email.template.get', { template });
    await publish(svc, template, { en: { subject: 'Mine', html: '<a href="{{ url }}">Join</a>' } });
    expect((await svc.call('email.template.get', { template })).published?.['en']?.subject).to.equal('Mine');
    expect((await svc.call('email.template.delete', { template })).template).to.deep.equal(before.template);
    expect(await svc.call('email.template.get', { template })).to.deep.equal(before);
    expect((await svc.call('email.template.delete', { template })).template).to.deep.equal(before.template);
  });
});
