import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { hours } from '#test/support/clock.js';
import { expectedFields, refusedFields, traces, useMail, type RefusedCases } from './support.js';
import { publish, texts } from './template/support.js';

describe('email.send with a template', () => {
  const mail = useMail();
  const { platform } = mail;
  const variables = { firstName: 'Ada & Co', number: 7 };

  it('sends the published version, in the layout, and keeps template, version and locale with the message', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'order.shipped');
    const sent = await svc.call('email.send', { to: 'ada@example.com', template: 'order.shipped', variables });
    const origin = { template: 'order.shipped', templateVersion: 1, templateLocale: 'en' };
    expect(sent).to.deep.include({ status: 'queued', subject: 'Order 7', ...origin });
    const { parsed } = await mail.mailOf(sent.messageId);
    expect(parsed.subject).to.equal('Order 7');
    expect(parsed.html).to.contain('Hello Ada &amp; Co').and.to.contain('class="svc-card"');
    expect(parsed.text?.trim()).to.equal('Hello Ada & Co\n\nOrder 7 is on its way.');
    const { message } = await svc.call('email.message.get', { messageId: sent.messageId });
    expect(message).to.deep.include(origin);
    const { messages } = await svc.call('email.message.list', { template: 'order.shipped' });
    expect(messages.map(({ messageId }) => messageId)).to.deep.equal([sent.messageId]);
  });

  it('chooses the nearest language: de-AT, then de, then the project’s, then the template’s default', async () => {
    const { svc, projectId } = await platform.account();
    const plain = (subject: string): { subject: string; text: string } => ({ subject, text: subject });
    await publish(svc, 'hello', { en: plain('Hello'), de: plain('Hallo'), fr: plain('Bonjour') });
    const subjectIn = async (locale?: string): Promise<string> =>
      (
        await svc.call('email.send', {
          to: 'ada@example.com',
          template: 'hello',
          ...(locale === undefined ? {} : { locale }),
        })
      ).subject;
    expect(await subjectIn('de-at')).to.equal('Hallo');
    expect(await subjectIn('ja')).to.equal('Hello');
    await svc.call('account.project.update', { projectId, locale: 'fr-CA' });
    expect(await subjectIn('ja')).to.equal('Bonjour');
    expect(await subjectIn()).to.equal('Bonjour');
  });

  it('sends an older version where one is named, and another subject where one is given', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome', { en: texts({ subject: 'One' }) });
    await publish(svc, 'welcome', { en: texts({ subject: 'Two' }) });
    const input = { to: 'ada@example.com', template: 'welcome', variables };
    const old = await svc.call('email.send', { ...input, templateVersion: 1 });
    expect(old).to.include({ subject: 'One', templateVersion: 1 });
    const other = await svc.call('email.send', { ...input, subject: 'For {{ firstName }}' });
    expect(other).to.include({ subject: 'For Ada & Co', templateVersion: 2 });
  });

  it('keeps the content of messages that are queued when the template changes or goes', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome', { en: { subject: 'One', text: 'First.' } });
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { messageId } = await svc.call('email.send', { to: 'ada@example.com', template: 'welcome', sendAfter });
    await publish(svc, 'welcome', { en: { subject: 'Two', text: 'Second.' } });
    await svc.call('email.template.delete', { template: 'welcome' });
    platform.clock.advance(hours(1));
    expect((await mail.mailOf(messageId)).parsed.text?.trim()).to.equal('First.');
    const { message } = await svc.call('email.message.get', { messageId });
    expect(message).to.include({ template: 'welcome', templateVersion: 1 });
  });

  it('names every missing variable, and refuses what is not published, before anything is stored', async () => {
    const { svc, live } = await platform.account();
    await publish(svc, 'welcome', { en: texts({ preheader: '{{ order.number }}' }) });
    await svc.call('email.template.draft.save', { template: 'draft', locales: { en: texts() } });
    const before = await traces(platform, live.id);
    const send = (more: object) => svc.refusal('email.send', { to: 'ada@example.com', template: 'welcome', ...more });
    const missing = await send({ variables: { number: 1 } });
    expect(missing).to.include({ code: 'missing_variables', status: 400 });
    expect(missing.details).to.deep.equal({ variables: ['firstName', 'order.number'] });
    for (const more of [{ template: 'draft' }, { template: 'nowhere' }, { templateVersion: 2 }]) {
      const refused = await send({ variables, ...more });
      expect(refused).to.include({ code: 'template_not_published', status: 409 });
      expect(refused.fix).to.contain('email.template.publish');
    }
    expect(await traces(platform, live.id)).to.deep.equal(before);
  });

  it('takes inline content or a template, and never both', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome');
    const to = 'ada@example.com';
    const cases: RefusedCases = [
      ['neither', { to }, 'subject'],
      ['no content', { to, subject: 'Hi' }, 'text'],
      ['text too', { to, template: 'welcome', text: 'Hi' }, 'text'],
      ['html too', { to, template: 'welcome', html: '<p>Hi</p>' }, 'html'],
      ['a version of nothing', { to, subject: 'Hi', text: 'Hi', templateVersion: 1 }, 'templateVersion'],
      ['a locale of nothing', { to, subject: 'Hi', text: 'Hi', locale: 'de' }, 'locale'],
      ['no language', { to, template: 'welcome', locale: 'not a tag' }, 'locale'],
    ];
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('answers a repeat although its template is gone', async () => {
    const { svc } = await platform.account();
    await publish(svc, 'welcome');
    const call = () =>
      svc.call(
        'email.send',
        { to: 'ada@example.com', template: 'welcome', variables },
        { idempotencyKey: 'same-call' },
      );
    const first = await call();
    await svc.call('email.template.delete', { template: 'welcome' });
    expect(await call()).to.deep.equal(first);
  });

  it('replaces the built-in texts of system mail, and falls back to them where they cannot be rendered', async () => {
    const { svc, live } = await platform.account();
    const template = 'account.member.invite';
    await publish(svc, template, {
      en: { subject: 'Come to {{ accountName }}', html: '<p><a class="button" href="{{ url }}">Come</a></p>' },
      de: { subject: 'Komm zu {{ accountName }}', text: '{{ days | append }} {{ url }}' },
    });
    const invite = async (email: string) => {
      await svc.call('account.member.invite', { email });
      const received = await mail.smtp.waitFor((all) => all.some(({ recipients }) => recipients.includes(email)));
      const arrived = received.find(({ recipients }) => recipients.includes(email));
      if (!arrived) throw new Error('The invitation did not arrive.');
      return arrived;
    };
    const { parsed } = await invite('first@example.com');
    expect(parsed.subject).to.match(/^Come to /);
    expect(parsed.html).to.contain('/invite?token=').and.to.contain('svc-card');
    expect(parsed.text).to.contain('Come <http');
    await svc.call('account.project.update', { projectId: live.projectId, locale: 'de' });
    expect((await invite('second@example.com')).parsed.subject).to.contain('eingeladen');
    await svc.call('email.template.delete', { template });
    expect((await invite('third@example.com')).parsed.subject).to.contain('eingeladen');
    const rows = await platform.running.services.database.rows<{ version: number | null; locale: Buffer }>(
      'SELECT template_version AS version, template_locale AS locale FROM email_message WHERE environment_id = ? ORDER BY id',
      [idBytes(live.id)],
    );
    expect(rows.map(({ version, locale }) => [version, locale.toString()])).to.deep.equal([
      [1, 'en'],
      [null, 'de'],
      [null, 'de'],
    ]);
  });
});
