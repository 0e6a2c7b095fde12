import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { publish, texts } from './support.js';

describe('email.template.preview', () => {
  const platform = usePlatform();

  it('lists missing variables, shows their names, and writes nothing', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome');
    const events = (await platform.events(live)).length;
    const shown = await svc.call('email.template.preview', { template: 'welcome', variables: { number: 7 } });
    expect(shown.missing).to.deep.equal(['firstName']);
    expect(shown.subject).to.equal('Order 7');
    expect(shown.text).to.equal('Hello {{ firstName }}\n\nOrder 7 is on its way.\n');
    expect(shown.bytes).to.equal(Buffer.byteLength(shown.html) + Buffer.byteLength(shown.text));
    expect(await platform.count('email_message', `environment_id = 0x${live.id.replaceAll('-', '')}`)).to.equal(0);
    expect(await platform.events(live)).to.have.length(events);
  });

  it('does not list what every broadcast has, and shows its name where it was not supplied', async () => {
    const { svc } = await platform.account();
    const text =
      '{{ contact.firstName }}, {{ contact.lastName | default: "friend" }}, {{ preferencesUrl }}, {{ legalAddress }}, {{ contact.properties.plan }}, {{ contact.fristName }}';
    const show = (variables: Record<string, unknown>) =>
      svc.call('email.template.preview', { content: { subject: 'News', text }, variables });
    const shown = await show({});
    expect(shown.missing).to.deep.equal(['contact.properties.plan', 'contact.fristName']);
    expect(shown.text).to.equal(
      '{{ contact.firstName }}, friend, {{ preferencesUrl }}, {{ legalAddress }}, {{ contact.properties.plan }}, {{ contact.fristName }}',
    );
    const given = await show({ contact: { firstName: '', fristName: '', properties: { plan: 'pro' } } });
    expect([given.missing, given.text]).to.deep.equal([
      [],
      ', friend, {{ preferencesUrl }}, {{ legalAddress }}, pro, ',
    ]);
  });

  it('shows the draft, or what is published, in the nearest locale', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome', { en: texts({ subject: 'One' }), de: texts({ subject: 'Eins' }) });
    await svc.call('email.template.draft.save', { template: 'welcome', locales: { en: texts({ subject: 'Two' }) } });
    const subject = async (given: { draft?: boolean; locale?: string }): Promise<string> =>
      (await svc.call('email.template.preview', { template: 'welcome', ...given })).subject;
    expect(await subject({})).to.equal('Two');
    expect(await subject({ draft: false })).to.equal('One');
    expect(await subject({ locale: 'de-AT' })).to.equal('Eins');
    expect(await subject({ locale: 'ja' })).to.equal('Two');
  });

  it('tidies a generated text in a moment, however long the white space in a variable', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome');
    const firstName = `Ada${' '.repeat(60_000)}Byron`;
    const began = process.cpuUsage();
    const shown = await svc.call('email.template.preview', {
      template: 'welcome',
      variables: { number: 7, firstName },
    });
    expect(process.cpuUsage(began).user / 1_000).to.be.lessThan(2_000);
    expect(shown.text).to.equal(`Hello ${firstName}\n\nOrder 7 is on its way.\n`);
  });

  it('writes the names of months in the language of the text, as the message will', async () => {
    const { svc } = await platform.account();
    const subject = '{{ day | date: "%d. %B" }}';
    await publish(svc, 'welcome', { en: texts({ subject }), de: texts({ subject }) });
    const variables = { day: '2026-03-29', firstName: 'Ada', number: 7 };
    for (const [locale, expected] of [['de-AT', '29. März'] as const, ['en', '29. March'] as const]) {
      const input = { template: 'welcome', locale, variables };
      expect((await svc.call('email.template.preview', { ...input, draft: false })).subject).to.equal(expected);
      await svc.call('email.template.draft.save', { template: 'welcome', locales: { [locale]: texts({ subject }) } });
      expect((await svc.call('email.template.preview', input)).subject).to.equal(expected);
      expect((await svc.call('email.send', { ...input, to: 'ada@example.com' })).subject).to.equal(expected);
    }
  });

  it('shows inline content in the layout, and names the line of a problem as it was given', async () => {
    const { svc } = await platform.account();
    const content = { subject: 'Hi', html: '<style>p { color: green }</style>\n<p>{{ name }}</p>' };
    const input = { content, layout: true, locale: 'de', variables: { name: 'Ada' } };
    const shown = await svc.call('email.template.preview', input);
    expect(shown.html)
      .to.contain('<html lang="de"')
      .and.match(/<p style="[^"]*color: ?green[^"]*">Ada<\/p>/);
    expect(shown.text).to.contain('Ada');
    await svc.call('email.template.draft.save', { template: 'same', locales: { de: content } });
    const saved = await svc.call('email.template.preview', { template: 'same', variables: { name: 'Ada' } });
    expect(shown.html).to.equal(saved.html);
    const { published } = await svc.call('account.theme.get', {});
    const { version: _, publishedAt: __, ...looks } = published;
    const theme = { ...looks, brandName: 'Not saved yet', colors: { ...looks.colors, surface: '#fffbe6' } };
    const themed = await svc.call('email.template.preview', { ...input, theme });
    expect(themed.html).to.contain('Not saved yet').and.contain('#fffbe6');
    expect(shown.html).to.not.contain('#fffbe6');
    const broken = { ...content, html: '<p>One</p>\n<p>{{ name</p>' };
    const wrong = await svc.refusal('email.template.preview', { ...input, content: broken });
    expect(wrong).to.include({ code: 'template_invalid' });
    expect(wrong.details).to.include({ part: 'html', line: 2 });
  });
  it('renders inline content as email.send takes it', async () => {
    const { svc } = await platform.account();
    const content = { subject: 'Hi {{ name }}', html: '<p>{{ name }}</p>' };
    const shown = await svc.call('email.template.preview', { content, variables: { name: 'A & B' } });
    expect(shown).to.deep.equal({ subject: 'Hi A & B', html: '<p>A &amp; B</p>', text: '', missing: [], bytes: 16 });
  });

  it('shows system templates in the theme, in the project’s language where none is given', async () => {
    const { svc, projectId } = await platform.account();
    await svc.call('account.project.update', { projectId, locale: 'de' });
    const variables = {
      invitedBy: 'Ada',
      accountName: 'Acme',
      role: 'admin',
      days: 7,
      brandName: 'Shop',
      url: 'https://example.com/x',
    };
    const show = (locale?: string) =>
      svc.call('email.template.preview', {
        template: 'account.member.invite',
        variables,
        ...(locale === undefined ? {} : { locale }),
      });
    expect((await show()).subject).to.equal('Ada hat Sie zu Acme eingeladen');
    const french = await show('fr-CA');
    expect(french.missing).to.deep.equal([]);
    expect(french.subject).to.equal('Ada vous invite à rejoindre Acme');
    expect(french.html).to.contain('lang="fr"').and.to.contain('https://example.com/x');
  });

  it('refuses what is not there, what is not published, and wrong syntax', async () => {
    const { svc } = await platform.account();
    await svc.call('email.template.draft.save', { template: 'draft', locales: { en: texts() } });
    expect((await svc.refusal('email.template.preview', { template: 'nowhere' })).code).to.equal('not_found');
    const unpublished = await svc.refusal('email.template.preview', { template: 'draft', draft: false });
    expect(unpublished.code).to.equal('template_not_published');
    const wrong = await svc.refusal('email.template.preview', { content: { subject: '{{', text: 'x' } });
    expect(wrong).to.include({ code: 'template_invalid' });
    const both = await svc.refusal('email.template.preview', {
      template: 'draft',
      content: { subject: 'a', text: 'b' },
    });
    expect(both.code).to.equal('invalid_input');
  });
});
