import { expect } from 'chai';
import { maxTemplates } from '#core/messaging/templates/draft.js';
import { newId } from '#core/runtime/id.js';
import { templates } from '#plugins/email/tables/template.js';
import { expectedFields, refusedFields, type RefusedCases } from '#test/email/support.js';
import { usePlatform } from '#test/support/platform.js';
import { publish, texts } from '../support.js';

describe('email.template.draft.save', () => {
  const platform = usePlatform();

  it('creates a template, and says which variables it uses', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope('email.template.draft.save', {
      template: 'order.shipped',
      description: 'When an order leaves.',
      locales: { en: texts({ preheader: 'For {{ order.items[0].name }}' }) },
    });
    expect(result.template).to.deep.include({
      template: 'order.shipped',
      channel: 'email',
      description: 'When an order leaves.',
      system: false,
      publishedVersion: null,
      hasDraft: true,
      defaultLocale: 'en',
      requiredVariables: [],
    });
    expect(result.draft).to.deep.equal({
      en: { subject: 'Order {{ number }}', html: texts().html, text: null, preheader: 'For {{ order.items[0].name }}' },
    });
    expect(result.variables).to.deep.equal(['number', 'firstName', 'order.items[0].name']);
    await platform.settled();
    const [event] = await platform.events(live);
    expect(event).to.deep.include({ type: 'email.template.draft_saved', subjectId: 'order.shipped', activityId });
    expect(event?.data).to.deep.equal({ template: result.template });
  });

  it('replaces the given locales, keeps the others, and removes those that are null', async () => {
    const { svc } = await platform.account();
    const save = (locales: Parameters<typeof publish>[2] & object, more: { defaultLocale?: string } = {}) =>
      svc.call('email.template.draft.save', { template: 'welcome', locales, ...more });
    await save({ en: texts(), de: texts({ subject: 'Hallo' }) });
    const { draft } = await save({ 'de-at': texts({ subject: 'Servus' }), de: texts({ subject: 'Guten Tag' }) });
    expect(Object.entries(draft).map(([locale, { subject }]) => [locale, subject])).to.deep.equal([
      ['de', 'Guten Tag'],
      ['de-AT', 'Servus'],
      ['en', 'Order {{ number }}'],
    ]);
    expect(Object.keys((await save({ 'de-AT': null })).draft)).to.deep.equal(['de', 'en']);
    const refused = await svc.refusal('email.template.draft.save', { template: 'welcome', locales: { en: null } });
    expect(refused).to.include({ code: 'invalid_input' });
    expect(refused.details).to.deep.equal({ field: 'defaultLocale' });
    const german = await save({ en: null }, { defaultLocale: 'de' });
    expect([german.template.defaultLocale, Object.keys(german.draft)]).to.deep.equal(['de', ['de']]);
    const none = await svc.refusal('email.template.draft.save', { template: 'welcome', locales: { de: null } });
    expect(none.details).to.deep.equal({ field: 'locales' });
  });

  it('begins a draft of a published template with what is published', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome', { en: texts(), fr: texts({ subject: 'Bonjour' }) });
    const { template, draft } = await svc.call('email.template.draft.save', {
      template: 'welcome',
      locales: { en: texts({ subject: 'Changed' }) },
    });
    expect(template).to.include({ publishedVersion: 1, hasDraft: true });
    expect([draft['en']?.subject, draft['fr']?.subject]).to.deep.equal(['Changed', 'Bonjour']);
  });

  it('changes nothing and writes no event when the draft is the same already', async () => {
    const { svc, live } = await platform.account();
    const input = { template: 'welcome', locales: { en: texts() } };
    const first = await svc.call('email.template.draft.save', input);
    platform.clock.advance(1_000);
    expect(await svc.call('email.template.draft.save', input)).to.deep.equal(first);
    await platform.settled();
    expect((await platform.events(live)).map(({ type }) => type)).to.deep.equal(['email.template.draft_saved']);
  });

  it('names locale, part, line and column of wrong syntax, and stores nothing', async () => {
    const { svc, live } = await platform.account();
    const cases = [
      [{ subject: 'Hi {{ name' }, { part: 'subject', line: 1, column: 4 }],
      [{ html: '<p>\n  {% if a %}x</p>' }, { part: 'html', line: 2, column: 3 }],
      [{ text: 'a\nb\n{{ x | nofilter }}' }, { part: 'text', line: 3, column: 1 }],
      [{ preheader: '{% include "x" %}' }, { part: 'preheader', line: 1, column: 1 }],
    ] as const;
    for (const [given, place] of cases) {
      const refused = await svc.refusal('email.template.draft.save', {
        template: 'welcome',
        locales: { en: texts(), de: texts(given) },
      });
      expect(refused).to.include({ code: 'template_invalid', status: 400 });
      expect(refused.details).to.deep.equal({ locale: 'de', ...place });
    }
    expect((await svc.refusal('email.template.get', { template: 'welcome' })).code).to.equal('not_found');
    expect(await platform.events(live)).to.deep.equal([]);
  });

  it('refuses invalid templates, naming the field', async () => {
    const { svc } = await platform.account();
    const of = (more: object): object => ({ template: 'welcome', locales: { en: texts() }, ...more });
    const cases: RefusedCases = [
      ['a name in capitals', of({ template: 'Welcome' }), 'template'],
      ['no locale', of({ locales: {} }), 'locales'],
      ['no language', of({ locales: { 'not a tag': texts() } }), 'locales.not a tag'],
      ['one locale twice', of({ locales: { 'de-at': texts(), 'de-AT': texts() } }), 'locales.de-AT'],
      ['neither html nor text', of({ locales: { en: { subject: 'Hi' } } }), 'locales.en'],
      ['a default locale that is not there', of({ defaultLocale: 'fr' }), 'defaultLocale'],
    ];
    expect(await refusedFields(svc, 'email.template.draft.save', cases)).to.deep.equal(expectedFields(cases));
  });

  it('refuses one more than 1,000 templates, and still takes drafts of those there are', async () => {
    const { svc, live } = await platform.account();
    await svc.call('email.template.draft.save', { template: 'welcome', locales: { en: texts() } });
    const { database } = platform.running.services;
    const [row] = await database.find(templates, { environmentId: live.id });
    if (!row) throw new Error('The template was not stored.');
    const others = Array.from({ length: maxTemplates - 1 }, (_, index) => `other-${index}`);
    await database.insert(
      templates,
      others.map((name) => ({ ...row, id: newId(), name })),
    );
    const more = { template: 'one-more', locales: { en: texts() } };
    expect(await svc.refusal('email.template.draft.save', more)).to.include({ status: 409, code: 'limit_reached' });
    await svc.call('email.template.draft.save', { template: 'welcome', locales: { en: texts({ subject: 'New' }) } });
    await svc.call('email.template.delete', { template: 'other-1' });
    await svc.call('email.template.draft.save', more);
  });
});
