import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { publish, texts } from './support.js';

describe('email.template.get', () => {
  const platform = usePlatform();

  it('shows draft, published texts and versions', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome', { en: texts(), de: texts({ subject: 'Hallo' }) });
    await publish(svc, 'welcome', { en: texts({ subject: 'Two' }) });
    await svc.call('email.template.draft.save', { template: 'welcome', locales: { en: texts({ subject: 'Three' }) } });
    const { template, draft, published, versions } = await svc.call('email.template.get', { template: 'welcome' });
    expect(template).to.deep.include({ publishedVersion: 2, hasDraft: true });
    expect([draft?.['en']?.subject, published?.['en']?.subject, published?.['de']?.subject]).to.deep.equal([
      'Three',
      'Two',
      'Hallo',
    ]);
    expect(versions.map(({ version }) => version)).to.deep.equal([2, 1]);
    expect(versions[0]?.publishedBy).to.be.a('string').and.not.equal('');
    const old = await svc.call('email.template.get', { template: 'welcome', version: 1 });
    expect(old.published?.['en']?.subject).to.equal('Order {{ number }}');
  });

  it('refuses names and versions that are not there, another environment’s among them', async () => {
    const { svc, svcTest } = await platform.account();
    await publish(svc, 'welcome');
    expect((await svcTest.refusal('email.template.get', { template: 'welcome' })).code).to.equal('not_found');
    expect((await svc.refusal('email.template.get', { template: 'welcome', version: 2 })).code).to.equal('not_found');
  });

  it('shows system templates in five languages, each with texts that can be published', async () => {
    const { svc } = await platform.account();
    const { templates } = await svc.call('email.template.list', { system: true });
    expect(templates.length).to.be.greaterThan(1);
    for (const { template } of templates) {
      const { published } = await svc.call('email.template.get', { template });
      expect(Object.keys(published ?? {}), template).to.include.members(['en', 'de', 'fr', 'es', 'pt']);
    }
  });

  it('shows the built-in texts of a system template in every language, and all texts as they can be saved again', async () => {
    const { svc } = await platform.account();
    const { template, draft, published, versions } = await svc.call('email.template.get', {
      template: 'account.member.invite',
    });
    expect(template).to.deep.include({ system: true, publishedVersion: null, requiredVariables: ['url'] });
    expect([draft, versions]).to.deep.equal([null, []]);
    expect(Object.keys(published ?? {})).to.have.members(['en', 'de', 'fr', 'es', 'pt']);
    await publish(svc, 'account.member.invite', published ?? {});
    await publish(svc, 'welcome', { en: texts() });
    const own = await svc.call('email.template.get', { template: 'welcome' });
    await publish(svc, 'copy', own.published ?? {});
    expect((await svc.call('email.template.get', { template: 'copy' })).published).to.deep.equal(own.published);
  });
});
