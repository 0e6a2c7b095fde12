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
