import { expect } from 'chai';
import { themeWith } from '#test/account/theme/theme-with.js';
import { usePlatform } from '#test/support/platform.js';
import { publish, texts } from './support.js';

describe('email.template.publish', () => {
  const platform = usePlatform();

  it('makes the draft the next version, which never changes', async () => {
    const { svc, live } = await platform.account();
    const first = await publish(svc, 'welcome');
    expect(first).to.deep.include({ version: 1 });
    expect(first.template).to.deep.include({
      publishedVersion: 1,
      hasDraft: false,
      variables: ['number', 'firstName'],
    });
    const second = await publish(svc, 'welcome', { en: texts({ subject: 'Second' }) });
    expect(second.version).to.equal(2);
    const { published } = await svc.call('email.template.get', { template: 'welcome', version: 1 });
    expect(published?.['en']?.subject).to.equal('Order {{ number }}');
    await platform.settled();
    const events = (await platform.events(live)).filter(({ type }) => type === 'email.template.published');
    expect(events.map(({ subjectId, data }) => [subjectId, data['version']])).to.deep.equal([
      ['welcome', 1],
      ['welcome', 2],
    ]);
  });

  it('answers as done, without an event, if there is no draft and a version is published', async () => {
    const { svc, live } = await platform.account();
    const first = await publish(svc, 'welcome');
    const again = await svc.call('email.template.publish', { template: 'welcome' });
    expect(again).to.deep.equal(first);
    await platform.settled();
    expect(await platform.events(live)).to.have.length(2);
  });

  it('refuses templates that are not there, and system templates without a draft', async () => {
    const { svc } = await platform.account();
    expect((await svc.refusal('email.template.publish', { template: 'nowhere' })).code).to.equal('not_found');
    const refused = await svc.refusal('email.template.publish', { template: 'account.member.invite' });
    expect(refused).to.include({ code: 'draft_missing', status: 409 });
  });

  it('puts the content into the layout, in the colours and with the brand of the theme', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith({ brandName: 'A {{ b }} & <c>' }) });
    await svc.call('account.theme.publish', {});
    await publish(svc, 'welcome', {
      en: texts({ html: '<p>Hi <a class="button" href="https://example.com">Go</a></p>' }),
    });
    const { html } = await svc.call('email.template.preview', { template: 'welcome', variables: { number: 1 } });
    expect(html).to.contain('A &#123;&#123; b &#125;&#125; &amp; &lt;c&gt;');
    expect(html).to.contain('prefers-color-scheme:dark').and.to.contain('background-color: #003366');
    expect(html).to.match(/<a class="button"[^>]* style="[^"]*color:[^"]*"/);
  });

  it('lets the content’s own styles win over those of the layout', async () => {
    const { svc } = await platform.account();
    const html =
      '<style>h1 { font-size: 40px } .button { color: #abcdef }</style><h1>Hi</h1><a class="button" href="#">Go</a>';
    await publish(svc, 'styled', { en: { subject: 'Hi', html } });
    const { html: shown } = await svc.call('email.template.preview', { template: 'styled' });
    expect(shown)
      .to.match(/<h1 style="[^"]*font-size: 40px[^"]*">/)
      .and.to.match(/<a [^>]*color: #abcdef/);
  });

  it('makes lines of a table’s rows in the text part', async () => {
    const { svc } = await platform.account();
    const html =
      '<table>{% for item in items %}<tr><td>{{ item.name }}</td><td>{{ item.price }}</td></tr>{% endfor %}<tr><td>Total</td><td>3</td></tr></table>';
    await publish(svc, 'rows', { en: { subject: 'Hi', html } });
    const variables = {
      items: [
        { name: 'One', price: 1 },
        { name: 'Two', price: 2 },
      ],
    };
    const { text } = await svc.call('email.template.preview', { template: 'rows', variables });
    expect(text).to.equal('One 1\nTwo 2\nTotal 3\n');
  });

  it('leaves HTML that has an html element unchanged, except for its CSS', async () => {
    const { svc } = await platform.account();
    const html =
      '<html><head><style>p { color: #123456 } @media (max-width:400px) { p { color: #ff0000 } }</style></head><body><p>Own</p></body></html>';
    await publish(svc, 'own', { en: { subject: 'Own', html } });
    const { html: shown, text } = await svc.call('email.template.preview', { template: 'own' });
    expect(shown).to.contain('<p style="color: #123456;">Own</p>').and.to.contain('@media');
    expect(shown).not.to.contain('svc-');
    expect(text).to.equal('Own\n');
  });

  it('makes the text part of the HTML where there is none, and hides the preheader in the HTML', async () => {
    const { svc } = await platform.account();
    const html =
      '<style>h1 { color: red }</style><h1>Hi {{ name }}</h1>{% if items.size > 1 %}<ul>{% for item in items %}<li>{{ item }}</li>{% endfor %}</ul>{% endif %}<p>See <a href="{{ url }}">your order</a>.</p>';
    await publish(svc, 'welcome', { en: { subject: 'Hi', html, preheader: 'Soon < {{ name }}' } });
    const variables = { name: 'Ada & Co', items: ['one', 'two'], url: 'https://example.com/?a=1&b=2' };
    const shown = await svc.call('email.template.preview', { template: 'welcome', variables });
    expect(shown.missing).to.deep.equal([]);
    expect(shown.text).to.equal('Hi Ada & Co\n\n - one\n - two\n\nSee your order <https://example.com/?a=1&b=2>.\n');
    expect(shown.html).to.contain('Soon &lt; Ada &amp; Co').and.to.contain('href="https://example.com/?a=1&amp;b=2"');
    expect(shown.html.indexOf('Soon')).to.be.lessThan(shown.html.indexOf('class="svc-card"'));
    expect(shown.html).to.match(/<h1 style="[^"]*color: red/);
  });

  it('has the texts of images, whole mailto addresses and nothing hidden in the text part', async () => {
    const { svc } = await platform.account();
    const textOf = async (html: string): Promise<string> => {
      await publish(svc, 'text', { en: { subject: 'Hi', html } });
      return (await svc.call('email.template.preview', { template: 'text' })).text;
    };
    expect(
      await textOf(
        '<p><a href="https://shop.example/book"><img src="https://shop.example/b.png" alt="Book now"></a></p>' +
          '<p><img src="https://shop.example/l.png" alt="Our logo"><img src="https://shop.example/p.png" alt=""></p>',
      ),
    ).to.equal('Book now <https://shop.example/book>\n\nOur logo\n');
    expect(
      await textOf('<p><a href="mailto:help@shop.example?subject=My%20order&amp;body=Hello">Write to us</a></p>'),
    ).to.equal('Write to us <mailto:help@shop.example?subject=My%20order&body=Hello>\n');
    expect(await textOf('<p><a href="mailto:help@shop.example">help@shop.example</a></p>')).to.equal(
      'help@shop.example\n',
    );
    for (const hidden of [
      '<p hidden>Hidden</p>',
      '<div style="display:none;max-height:0">Hidden</div>',
      '<div style="color:red; DISPLAY: none">Hidden</div>',
      '<span style="visibility: hidden">Hidden</span>',
      '<div style="max-height:0;overflow:hidden;mso-hide:all">Hidden</div>',
      '<table><tr><td style="display:none">Hidden</td></tr></table>',
    ])
      expect(await textOf(`<html><head><title>News</title></head><body>${hidden}<p>Hello</p></body></html>`)).to.equal(
        'Hello\n',
      );
  });

  it('states the direction of the locale on the body too', async () => {
    const { svc } = await platform.account();
    const texts = { subject: 'Hi', html: '<p>Hi</p>' };
    await publish(svc, 'direction', { en: texts, ar: texts, 'az-Arab': texts, 'ar-Latn': texts });
    for (const [locale, isRightToLeft] of [
      ['en', false],
      ['ar', true],
      ['az-Arab', true],
      ['ar-Latn', false],
    ] as const) {
      const { html } = await svc.call('email.template.preview', { template: 'direction', locale });
      for (const tag of ['html', 'body', 'table'])
        expect(new RegExp(`<${tag}\\b[^>]* dir="rtl"`).test(html), `${tag} ${locale}`).to.equal(isRightToLeft);
    }
  });

  it('keeps Liquid that stands among attributes, in quotes and with comparisons', async () => {
    const { svc } = await platform.account();
    const html =
      '<p {% if n < 2 %}title="few"{% endif %}>{{ name | default: "x > y" }}</p><p title="{{ "a" | append: "b" }}">{% raw %}{{ raw }}{% endraw %}</p>';
    await publish(svc, 'liquid', { en: { subject: 'Hi', html } });
    const shown = await svc.call('email.template.preview', { template: 'liquid', variables: { n: 1 } });
    expect(shown.html).to.match(/<p title="few"[^>]*>x &gt; y<\/p>/);
    expect(shown.html).to.match(/<p title="ab"[^>]*>\{\{ raw \}\}<\/p>/);
  });

  it('refuses HTML that takes too long to read, while others are served', async function () {
    this.timeout(30_000);
    const { svc } = await platform.account();
    const other = await platform.account();
    const rules = Array.from({ length: 4_000 }, (_, n) => `div div div div .c${n} > p ~ p { color: red }`).join('\n');
    const html = `<style>${rules}</style>${'<div><p>a</p><p>b</p>'.repeat(3_000)}`;
    await svc.call('email.template.draft.save', { template: 'slow', locales: { en: { subject: 'Slow', html } } });
    const slow = svc.refusal('email.template.publish', { template: 'slow' });
    expect((await publish(other.svc, 'quick')).version).to.equal(1);
    const refused = await slow;
    expect(refused).to.include({ code: 'template_invalid', status: 400 });
    expect(refused.details).to.include({ locale: 'en', part: 'html' });
    expect((await svc.call('email.template.get', { template: 'slow' })).template.publishedVersion).to.equal(null);
  });

  describe('of a system template', () => {
    const invite = 'account.member.invite';

    it('needs the required variables in each body, in every locale', async () => {
      const { svc } = await platform.account();
      const link = '<a href="{{ url }}">Join {{ accountName }}</a>';
      await svc.call('email.template.draft.save', {
        template: invite,
        locales: { en: { subject: 'Join', html: link }, de: { subject: 'Los', html: link, text: 'Nur so.' } },
      });
      const refused = await svc.refusal('email.template.publish', { template: invite });
      expect(refused).to.include({ code: 'template_missing_required', status: 400 });
      expect(refused.details).to.deep.equal({ locale: 'de', part: 'text', variables: ['url'] });
    });

    it('may use no variable that svc does not supply', async () => {
      const { svc } = await platform.account();
      await svc.call('email.template.draft.save', {
        template: invite,
        locales: { en: { subject: 'Join', html: '<p>Hi\n {{ firstName }} <a href="{{ url }}">Join</a></p>' } },
      });
      const refused = await svc.refusal('email.template.publish', { template: invite });
      expect(refused).to.include({ code: 'template_invalid' });
      expect(refused.details).to.deep.equal({ locale: 'en', part: 'html', line: 2, column: 5 });
      expect(refused.message).to.contain('firstName').and.to.contain('accountName');
    });
  });
});
