import { expect } from 'chai';
import { codeText } from '#plugins/auth/mails/templates.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

const { name: template } = codeText;
const variables = { code: '493817', minutes: 10, brandName: 'Shop' };

describe('System texts', () => {
  needProducts('auth');
  const platform = usePlatform();

  it('are listed after the project’s own, sign-in codes and answers to keywords among them, also once one is replaced', async () => {
    const { svc } = await platform.account();
    const names = async (): Promise<string[]> =>
      (await svc.call('sms.template.list', { system: true })).templates.map((each) => each.template);
    const before = await names();
    expect(before).to.include.members([template, 'sms.reply.stop', 'sms.reply.start', 'sms.reply.help']);
    await svc.call('sms.template.draft.save', { template, locales: { en: { body: '{{ code }}!' } } });
    expect(await names()).to.deep.equal(before);
    expect((await svc.call('sms.template.list', { system: false })).templates).to.deep.equal([]);
  });

  it('show their built-in words in every language, ready to be saved as a draft', async () => {
    const { svc } = await platform.account();
    const shown = await svc.call('sms.template.get', { template });
    expect(shown.template).to.deep.include({ system: true, publishedVersion: null, requiredVariables: ['code'] });
    const locales = shown.published ?? {};
    expect(Object.keys(locales).sort()).to.deep.equal(['de', 'en', 'es', 'fr', 'pt']);
    const { variables: named } = await svc.call('sms.template.draft.save', { template, locales });
    expect(named).to.include('code');
    expect((await svc.call('sms.template.publish', { template })).version).to.equal(1);
  });

  it('are estimated as they are sent: the built-in words in the wanted language or the project’s, else the override', async () => {
    const { svc, projectId } = await platform.account();
    await svc.call('account.project.update', { projectId, locale: 'de' });
    const textOf = async (locale?: string): Promise<string> =>
      (await svc.call('sms.estimate', { template, variables, ...(locale === undefined ? {} : { locale }) })).text;
    expect(await textOf()).to.contain('493817 ist Ihr Code für Shop');
    expect(await textOf('en-GB')).to.contain('493817 is your Shop code');
    expect((await svc.call('sms.estimate', { template, locale: 'en' })).missing).to.include.members([
      'code',
      'minutes',
    ]);
    await svc.call('sms.template.draft.save', { template, locales: { en: { body: 'Code {{ code }}' } } });
    await svc.call('sms.template.publish', { template });
    expect(await textOf()).to.equal('Code 493817');
    await svc.call('sms.template.delete', { template });
    expect(await textOf('en')).to.contain('493817 is your Shop code');
  });

  it('cannot be published without the variables that they need', async () => {
    const { svc } = await platform.account();
    await svc.call('sms.template.draft.save', { template, locales: { en: { body: 'Hello' } } });
    const refused = await svc.refusal('sms.template.publish', { template });
    expect(refused).to.include({ status: 400, code: 'template_missing_required' });
    expect(refused.message + refused.fix).to.include('code');
    expect(refused.details).to.deep.equal({ locale: 'en', part: 'body', variables: ['code'] });
  });

  it('cannot be published without a draft, nor with variables that svc does not supply', async () => {
    const { svc } = await platform.account();
    expect(await svc.refusal('sms.template.publish', { template })).to.include({ status: 409, code: 'draft_missing' });
    const body = 'Hello {{ nickname }}, {{ code }}';
    await svc.call('sms.template.draft.save', { template, locales: { en: { body } } });
    const refused = await svc.refusal('sms.template.publish', { template });
    expect(refused).to.include({ status: 400, code: 'template_invalid' });
    expect(refused.details).to.deep.equal({ locale: 'en', part: 'body', line: 1, column: 10 });
    expect(refused.message).to.contain('nickname');
  });
});
