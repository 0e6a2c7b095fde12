import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { publish } from '../support.js';

describe('sms.template.draft.save', () => {
  const platform = usePlatform();

  it('creates a template, and names what its texts use', async () => {
    const { svc, live } = await platform.account();
    const saved = await svc.call('sms.template.draft.save', {
      template: 'welcome',
      description: 'On sign-up.',
      locales: { en: { body: 'Hi {{ name }}' }, 'DE-at': { body: 'Servus {{ name }}, {{ order.number }}' } },
    });
    expect(saved.template).to.deep.include({
      template: 'welcome',
      channel: 'sms',
      description: 'On sign-up.',
      publishedVersion: null,
      hasDraft: true,
      defaultLocale: 'en',
      system: false,
    });
    expect(saved.draft).to.deep.equal({
      'de-AT': { body: 'Servus {{ name }}, {{ order.number }}' },
      en: { body: 'Hi {{ name }}' },
    });
    expect(saved.variables).to.have.members(['name', 'order.number']);
    await platform.settled();
    const [event, ...more] = (await platform.events(live)).filter(({ type }) => type === 'sms.template.draft_saved');
    expect(more).to.deep.equal([]);
    expect(event).to.include({ subjectId: 'welcome' });
  });

  it('replaces the given locales, removes those that are null, and writes nothing twice', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome', { en: { body: 'Hi' }, de: { body: 'Hallo' }, fr: { body: 'Salut' } });
    const change = { template: 'welcome', locales: { de: { body: 'Guten Tag' }, fr: null } };
    const { draft } = await svc.call('sms.template.draft.save', change);
    expect(draft).to.deep.equal({ de: { body: 'Guten Tag' }, en: { body: 'Hi' } });
    await svc.call('sms.template.draft.save', change);
    await platform.settled();
    const saved = (await platform.events(live)).filter(({ type }) => type === 'sms.template.draft_saved');
    expect(saved).to.have.length(2);
    const { published } = await svc.call('sms.template.get', { template: 'welcome' });
    expect(published?.['fr']).to.deep.equal({ body: 'Salut' });
  });

  itNeeding('email')('is apart from email’s template of the same name', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome');
    expect((await svc.refusal('email.template.get', { template: 'welcome' })).code).to.equal('not_found');
  });

  it('refuses wrong syntax, naming line and column', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('sms.template.draft.save', {
      template: 'welcome',
      locales: { en: { body: 'Hi' }, de: { body: 'Hallo\n {% if name %}' } },
    });
    expect(refused).to.include({ code: 'template_invalid', status: 400 });
    expect(refused.details).to.deep.equal({ locale: 'de', part: 'body', line: 2, column: 2 });
  });

  it('refuses locales that are none, texts that are empty or too long, and subjects', async () => {
    const { svc } = await platform.account();
    const of = (locales: Record<string, unknown>) =>
      svc.refusal('sms.template.draft.save', { template: 'welcome', locales });
    expect((await of({ 'not a tag': { body: 'Hi' } })).details).to.deep.equal({ field: 'locales.not a tag' });
    for (const texts of [{ body: '' }, { body: 'x'.repeat(1_601) }, { body: 'Hi', subject: 'Hi' }, {}])
      expect((await of({ en: texts })).code).to.equal('invalid_input');
  });
});
