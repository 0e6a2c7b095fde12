import { expect } from 'chai';
import type { MoveSuite } from './suite.js';
import { exported, zipped } from './support.js';

export function templateSuite({ start, folder }: MoveSuite): void {
  describe('templates', () => {
    it('are translated to Liquid, and published if all of it could be', async () => {
      const { move, svc } = await start();
      const archive = await zipped(folder(), 'templates.zip', {
        'templates/Spring Sale.html': exported('mailchimp-template.html'),
        'templates/Archive.html': Buffer.from('<p>*|FNAME|* <a href="*|ARCHIVE|*">Online</a> {{ braces }}</p>'),
      });
      const untranslated = ['*|ARCHIVE|*', '{{'].map((piece) => `left as it is, in a draft only: ${piece}: 1`);
      const dry = await move('mailchimp', archive, '--map', 'CITY=properties.town', '--dry-run');
      const planned = { 'template drafts': 1, 'template drafts with parts that are not translated': 1 };
      expect(dry).to.deep.include({ code: 1, planned, failed: untranslated });
      expect((await svc.call('email.template.list', { system: false })).templates).to.deep.equal([]);
      const first = await move('mailchimp', archive, '--map', 'CITY=properties.town');
      expect(first.written).to.deep.equal({ 'template drafts saved': 2, 'templates published': 1 });
      const { published } = await svc.call('email.template.get', { template: 'mailchimp.spring-sale' });
      expect(published?.['en']?.subject).to.equal('Spring Sale');
      for (const part of [
        'Hi {{ contact.firstName | default: "" }}, you live in {{ contact.properties.town | default: "" }}.',
        '{% if contact.properties.plan == "pro" %}<p>Pro</p>{% else %}<p>Free</p>{% endif %}',
        '<a href="{{ preferencesUrl }}">Unsubscribe</a> {{ legalAddress }} {{ "now" | date: "%Y" }}',
      ])
        expect(published?.['en']?.html).to.contain(part);
      const draft = await svc.call('email.template.get', { template: 'mailchimp.archive' });
      expect(draft.published).to.equal(null);
      expect(draft.draft?.['en']?.html).to.contain('{% raw %}*|ARCHIVE|*{% endraw %}');
      expect((await move('mailchimp', archive, '--map', 'CITY=properties.town')).written).to.deep.equal({});
      const edited = await move('mailchimp', archive);
      expect(edited.written).to.deep.equal({});
      expect(edited.skipped).to.deep.equal(['a template with this name and other content is here: 1']);
    });

    it('with names that differ only in punctuation stay two', async () => {
      const { move, svc } = await start();
      const archive = await zipped(folder(), 'punctuation.zip', {
        'templates/Sale!.html': Buffer.from('<p>Sale!</p>'),
        'templates/Sale….html': Buffer.from('<p>Sale…</p>'),
        'templates/Sale - soon.html': Buffer.from('<p>Soon</p>'),
        'templates/Sale soon.html': Buffer.from('<p>Soon?</p>'),
      });
      const first = await move('mailchimp', archive);
      expect(first).to.deep.include({ code: 0, failed: [], skipped: [] });
      expect(first.written).to.deep.equal({ 'template drafts saved': 4, 'templates published': 4 });
      const { templates } = await svc.call('email.template.list', { system: false });
      expect(templates.map(({ template }) => template.replace(/-[0-9a-f]{8}$/, '-<digest>')).toSorted()).to.deep.equal([
        'mailchimp.sale-<digest>',
        'mailchimp.sale-<digest>',
        'mailchimp.sale-soon',
        'mailchimp.sale-soon-<digest>',
      ]);
      expect((await move('mailchimp', archive)).written).to.deep.equal({});
    });

    it('that an earlier version moved keep their names, also if they were changed here', async () => {
      const { move, svc } = await start();
      const save = async (html: string): Promise<void> => {
        const locales = { en: { subject: 'Sale!', html } };
        await svc.call('email.template.draft.save', { template: 'mailchimp.sale', locales, defaultLocale: 'en' });
        await svc.call('email.template.publish', { template: 'mailchimp.sale' });
      };
      const sale = Buffer.from('<p>Sale!</p>');
      const archive = await zipped(folder(), 'sale.zip', { 'templates/Sale!.html': sale });
      await save('<p>Sale!</p>');
      expect(await move('mailchimp', archive)).to.deep.include({ code: 0, written: {}, skipped: [] });
      const both = await zipped(folder(), 'both.zip', {
        'templates/Sale!.html': sale,
        'templates/Sale?.html': Buffer.from('<p>Sale?</p>'),
      });
      const { written } = await move('mailchimp', both);
      expect(written, 'only the other one').to.deep.equal({ 'template drafts saved': 1, 'templates published': 1 });
      await save('<p>Bargains</p>');
      const edited = await move('mailchimp', archive);
      expect(edited.written).to.deep.equal({});
      expect(edited.skipped).to.deep.equal(['a template with this name and other content is here: 1']);
    });

    it('whose names here are the same are not dropped silently', async () => {
      const { move } = await start();
      const archive = await zipped(folder(), 'capitals.zip', {
        'templates/Spring Sale.html': Buffer.from('<p>First</p>'),
        'templates/spring-sale.html': Buffer.from('<p>Second</p>'),
      });
      const failed = ['another template in these files has the same name here: 1'];
      expect(await move('mailchimp', archive, '--dry-run')).to.deep.include({ code: 1, failed });
      const { code, written, ...notes } = await move('mailchimp', archive);
      expect(written).to.deep.equal({ 'template drafts saved': 1, 'templates published': 1 });
      expect({ code, failed: notes.failed }).to.deep.equal({ code: 1, failed });
    });

    it('of listmonk are translated from Go’s language', async () => {
      const { move, svc } = await start();
      const { written, failed } = await move('listmonk', exported('listmonk-templates.json'));
      expect(written).to.deep.equal({ 'template drafts saved': 2, 'templates published': 1 });
      expect(failed).to.deep.equal(
        ['{{ range .Tx.Data.items }}', '{{ .name }}', '{{ end }}'].map(
          (piece) => `left as it is, in a draft only: ${piece}: 3`,
        ),
      );
      const { published } = await svc.call('email.template.get', { template: 'listmonk.order-shipped' });
      expect(published?.['en']?.subject).to.equal('Order {{ order }} is on its way');
      expect(published?.['en']?.html).to.equal(
        '<p>Hi {{ contact.firstName | default: "" }},</p>\n' +
          '{% if contact.properties.plan == "pro" %}<p>Thanks for being a pro.</p>{% else %}<p>Thanks.</p>{% endif %}\n' +
          '<a href="https://example.com/orders">Order</a>\n<a href="{{ preferencesUrl }}">Unsubscribe</a>',
      );
    });
  });
}
