import { expect } from 'chai';
import { ada, send, text, useTexts } from './support.js';

describe('sms.send: refusals', () => {
  const { platform } = useTexts();

  it('names the field that is wrong', async () => {
    const { svc } = await platform.account();
    const cases: readonly (readonly [input: object, field: string])[] = [
      [{ body: 'Hi' }, 'to'],
      [{ to: '015123456789', body: 'Hi' }, 'to'],
      [{ to: '+49151', body: 'Hi' }, 'to'],
      [{ to: ada }, 'body'],
      [{ to: ada, body: '' }, 'body'],
      [{ to: ada, body: '{{ name }}', variables: { name: ' ' } }, 'body'],
      [{ to: ada, body: 'a'.repeat(1_601) }, 'body'],
      [{ to: ada, body: 'Hi', template: 'order.here' }, 'template'],
      [{ to: ada, body: 'Hi', locale: 'de' }, 'locale'],
      [{ to: ada, template: 'order.here', locale: 'not a tag' }, 'locale'],
      [{ to: ada, body: 'nul \u0000' }, 'body'],
      [{ to: ada, body: 'half of an emoji \ud83d' }, 'body'],
      [{ to: ada, body: 'Hi', tags: { 'with space': 'x' } }, 'tags.with space'],
      [{ to: ada, body: 'Hi', sendAfter: '2126-01-01T00:00:00Z' }, 'sendAfter'],
      [{ to: ada, body: 'Hi', from: '+12125550100' }, 'from'],
    ];
    for (const [input, field] of cases) {
      const refused = await svc.refusal('sms.send', input);
      expect(refused, JSON.stringify(input)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details['field'], JSON.stringify(input)).to.equal(field);
    }
  });

  it('names all that is missing at once', async () => {
    const { svc } = await platform.account();
    const { message, fix, details } = await svc.refusal('sms.send', {});
    expect(details['problems']).to.have.deep.members([
      { field: 'to', problem: 'is required' },
      { field: 'body', problem: 'is missing: send exactly one of “body”, “template”' },
    ]);
    for (const field of ['to', 'body'])
      expect([message, fix].every((text) => text.includes(`“${field}”`))).to.equal(true);
  });

  it('refuses texts above the limit of segments, with segments and encoding', async () => {
    const { svc } = await platform.account();
    expect(await send(svc, { body: 'a'.repeat(918) })).to.include({ status: 'queued', segments: 6, encoding: 'GSM-7' });
    const long = await svc.refusal('sms.send', text({ body: 'a'.repeat(919) }));
    expect(long).to.include({ status: 400, code: 'sms_too_long' });
    expect(long.details).to.deep.equal({ segments: 7, encoding: 'GSM-7', limit: 6 });
    const curly = await svc.refusal('sms.send', text({ body: `It’s ${'a'.repeat(400)}` }));
    expect(curly.details).to.deep.equal({ segments: 7, encoding: 'UCS-2', limit: 6 });
    expect(curly.fix).to.contain('’');
    await svc.call('sms.settings.set', { maxSegments: 7 });
    expect((await send(svc, { body: 'a'.repeat(919) })).segments).to.equal(7);
    await svc.call('sms.settings.set', { maxSegments: 1 });
    expect(await svc.refusal('sms.send', text({ body: 'a'.repeat(161) }))).to.include({ code: 'sms_too_long' });
  });

  it('refuses destinations that the operator does not allow', async () => {
    const { svc, svcTest } = await platform.account();
    const refused = await svc.refusal('sms.send', text({ to: '+33612345678' }));
    expect(refused).to.include({ status: 403, code: 'destination_not_allowed' });
    expect(refused.message).to.contain('FR');
    // Canada shares its calling code with the United States.
    expect((await svc.refusal('sms.send', text({ to: '+16135550123' }))).message).to.contain('CA');
    expect((await svc.refusal('sms.send', text({ to: '+80012345678' }))).message).to.contain('+800');
    expect(await svcTest.refusal('sms.send', text({ to: '+33612345678' }))).to.include({
      code: 'destination_not_allowed',
    });
  });

  it('is refused once the account is closed', async () => {
    const { svc } = await platform.account();
    await svc.call('account.close', { reason: 'We moved.' });
    expect(await svc.refusal('sms.send', text())).to.include({ status: 403, code: 'account_closed' });
  });

  it('answers a repeat with the same message, and sends it once', async () => {
    const { svc } = await platform.account();
    const options = { idempotencyKey: 'order-1' };
    const first = await svc.call('sms.send', text(), options);
    expect(await svc.call('sms.send', text(), options)).to.deep.equal(first);
    await platform.settled();
    const { messages } = await svc.call('sms.message.list', {});
    expect(messages).to.have.length(1);
  });
});
