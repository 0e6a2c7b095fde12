import { expect } from 'chai';
import { ada, useTexts } from './support.js';

describe('sms.estimate', () => {
  const { platform } = useTexts();

  it('counts without sending, and names the characters that force UCS-2', async () => {
    const { svc, live } = await platform.account();
    const before = (await platform.events(live)).length;
    const estimate = await svc.call('sms.estimate', {
      to: ada,
      body: 'It’s {{ what }} – now',
      variables: { what: 'here' },
    });
    expect(estimate).to.deep.include({
      text: 'It’s here – now',
      segments: 1,
      encoding: 'UCS-2',
      characters: 15,
      forcedBy: ['’', '–'],
      missing: [],
    });
    expect(await svc.call('sms.estimate', { body: '[€]' })).to.deep.include({
      encoding: 'GSM-7',
      characters: 6,
      forcedBy: [],
    });
    expect(
      (await svc.call('sms.estimate', { body: 'a'.repeat(1_600) })).segments,
      'above the limit of sms.send',
    ).to.equal(11);
    expect((await svc.call('sms.message.list', {})).messages).to.deep.equal([]);
    expect(await platform.events(live)).to.have.length(before);
  });

  it('lists missing variables, and counts the text with their names', async () => {
    const { svc } = await platform.account();
    const body = 'Dear {{ name }}, {{ order.number }} is here';
    const { text, missing } = await svc.call('sms.estimate', { body });
    expect({ text, missing }).to.deep.equal({ text: body, missing: ['name', 'order.number'] });
    expect(await svc.refusal('sms.estimate', { body: 'Dear {{ name' })).to.include({
      status: 400,
      code: 'template_invalid',
    });
  });

  it('renders a template in a language', async () => {
    const { svc } = await platform.account();
    expect(await svc.refusal('sms.estimate', { template: 'hello' })).to.include({ code: 'template_not_published' });
    const locales = { en: { body: 'Hello' }, pl: { body: 'Cześć' } };
    await svc.call('sms.template.draft.save', { template: 'hello', locales });
    await svc.call('sms.template.publish', { template: 'hello' });
    expect(await svc.call('sms.estimate', { template: 'hello', locale: 'pl' })).to.deep.include({
      text: 'Cześć',
      forcedBy: ['ś', 'ć'],
    });
  });
});
