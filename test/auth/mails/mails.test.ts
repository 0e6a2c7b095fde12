import { expect } from 'chai';
import { renderTemplate } from '#core/messaging/templates/liquid.js';
import { languages } from '#core/kernel/language.js';
import type { EmailTexts } from '#core/messaging/system-template.js';
import { formatDateTime } from '#core/surfaces/pages/texts.js';
import { noticeKinds } from '#plugins/auth/mails/kinds.js';
import { sendSecurityNotice } from '#plugins/auth/mails/send.js';
import { codeText, noticeMails, signInTemplates } from '#plugins/auth/mails/templates.js';
import { findUser } from '#plugins/auth/users/find.js';
import { countSegments } from '#plugins/sms/segments.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { userOf } from '#test/auth/support.js';
import type { TestAccount } from '#test/support/platform.js';

describe('Mails of sign-ins', () => {
  const test = useSignInMail();
  const { platform } = test;

  for (const template of signInTemplates)
    it(`${template.name} (${template.channel}) has texts in five languages, which use its variables and no other`, () => {
      expect(Object.keys(template.locales)).to.deep.equal([...languages]);
      const variables = Object.fromEntries([...template.variables, 'brandName'].map((name) => [name, `<${name}>`]));
      for (const [locale, texts] of Object.entries<EmailTexts | { body: string }>(template.locales)) {
        const all = Object.values<string>({ ...texts }).join('\n');
        const rendered = renderTemplate(all, variables, 'none');
        expect(rendered.ok, `${locale}: ${JSON.stringify(rendered)}`).to.equal(true);
        const button = 'button' in texts ? '{{ url }}' : '';
        for (const name of template.requiredVariables) expect(all + button, locale).to.contain(`{{ ${name} }}`);
      }
      const bodies = Object.values<EmailTexts | { body: string }>(template.locales).map(({ body }) => body);
      expect(new Set(bodies).size).to.equal(languages.length);
    });

  it('sends a code in one text message in every language, with a brand’s name of up to 20 letters', () => {
    for (const [locale, { body }] of Object.entries(codeText.locales)) {
      const variables = { code: '493817', brandName: 'B'.repeat(20), minutes: '10' };
      const rendered = renderTemplate(body, variables, 'none');
      if (!rendered.ok) throw new Error(`The text in ${locale} does not render.`);
      // Phones offer to enter a code only beside its word.
      expect(rendered.text, locale).to.match(/\b(?:code|código)\b/i);
      expect(countSegments(rendered.text).segments, rendered.text).to.equal(1);
    }
  });

  it('can be overridden by the project, which must keep the code', async () => {
    const account = await platform.account();
    const template = 'auth.signin.code';
    const texts = { subject: 'Acme code', html: '<p>Your code</p>', text: 'Your code' };
    const save = (text: string) =>
      account.svc.call('email.template.draft.save', {
        template,
        locales: { en: { ...texts, text, html: `<p>${text}</p>` } },
      });
    await save('Here it is');
    const refused = await account.svc.refusal('email.template.publish', { template });
    expect(refused.code).to.equal('template_missing_required');
    await save('Here it is: {{ code }}');
    await account.svc.call('email.template.publish', { template });
    await test.app(account).call('auth.signin.start', { email: 'override@example.com' });
    const [mail] = await test.mailsTo('override@example.com');
    expect(mail?.parsed.subject).to.equal('Acme code');
    expect(mail?.parsed.text).to.match(/Here it is: \d{6}/);
  });

  /** Tells Ada something, as an operation of hers would. */
  async function notify({ live }: TestAccount, email: string, kind: (typeof noticeKinds)[number]): Promise<void> {
    const userId = await userOf(platform, live, email);
    await platform.running.services.transaction('Test', async (context) => {
      context.actIn(live);
      const user = await findUser(context.db, live.id, userId);
      if (!user) throw new Error('The user is gone.');
      const facts = { what: 'Ada’s\nlaptop', alsoTo: 'former@example.com' };
      await sendSecurityNotice(context, live, { ...user, locale: 'es' }, kind, facts);
    });
  }

  it('tell of changes in the user’s language, to the primary address and a former one, with time and address', async () => {
    const account = await platform.account();
    await notify(account, 'notice@example.com', 'passkey_added');
    const [mail] = await test.mailsTo('notice@example.com');
    expect(mail?.parsed.subject).to.equal('Se ha añadido una llave de acceso');
    const time = formatDateTime('es', platform.clock.now());
    expect(time).to.match(/ de \d{4}.* UTC$/);
    for (const words of ['«Ada’s laptop»', time]) expect(mail?.parsed.text).to.contain(words);
    expect(await test.mailsTo('former@example.com')).to.have.length(1);
  });

  it('report every kind of change', () => {
    expect([...noticeMails.keys()]).to.deep.equal([...noticeKinds]);
  });

  it('are left out where none can be sent, and what they report goes through', async () => {
    const account = await platform.account();
    await account.svc.call('account.close', { reason: 'Over.' });
    const closed = { ...account, live: { ...account.live, closedAt: platform.clock.now() } };
    await notify(closed, 'quiet@example.com', 'password_changed');
    await platform.settled();
    expect(test.smtp.received.filter(({ recipients }) => recipients.includes('quiet@example.com'))).to.deep.equal([]);
  });
});
