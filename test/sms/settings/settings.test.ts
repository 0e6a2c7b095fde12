import { expect } from 'chai';
import { itNeeding } from '#test/support/products.js';
import { send, useTexts } from '../support.js';

describe('sms.settings', () => {
  const { platform } = useTexts();

  it('merge key by key, replace lists, and tell what changed', async () => {
    const { svc, live } = await platform.account();
    const { settings: before, defaults, allowedCountries, maxSegments } = await svc.call('sms.settings.get', {});
    expect(before).to.deep.equal(defaults);
    expect({ allowedCountries, maxSegments }).to.deep.equal({ allowedCountries: ['US', 'DE'], maxSegments: 6 });
    await svc.call('sms.settings.set', { quietHours: { enabled: true }, keywords: { stop: ['HALT', 'SCHLUSS'] } });
    const { activityId, result } = await svc.envelope('sms.settings.set', {
      quietHours: { from: '22:30' },
      keywords: { stop: ['HALT'] },
      replies: { help: 'Acme, +1 212 555 0100' },
    });
    expect(result.settings).to.deep.equal({
      ...defaults,
      quietHours: { enabled: true, from: '22:30', to: '08:00' },
      keywords: { stop: ['HALT'], start: [], help: [] },
      replies: { stop: null, start: null, help: 'Acme, +1 212 555 0100' },
    });
    expect((await svc.call('sms.settings.get', {})).settings).to.deep.equal(result.settings);
    const event = (await platform.events(live)).at(-1);
    expect(event).to.include({ type: 'sms.settings.changed', activityId });
    expect(event?.data).to.deep.equal({ settings: result.settings });
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity.changes.map(({ field }) => field).sort()).to.deep.equal([
      'keywords.stop',
      'quietHours.from',
      'replies.help',
    ]);
  });

  it('a change that changes nothing writes no event; a reset puts every default back', async () => {
    const { svc, live } = await platform.account();
    await svc.call('sms.settings.set', { maxSegments: 3, replies: { stop: 'Bye.' } });
    await svc.call('sms.settings.set', { maxSegments: 3 });
    const { defaults } = await svc.call('sms.settings.get', {});
    expect((await svc.call('sms.settings.reset', {})).settings).to.deep.equal(defaults);
    expect((await svc.call('sms.settings.reset', {})).settings).to.deep.equal(defaults);
    expect((await svc.call('sms.settings.get', {})).settings).to.deep.equal(defaults);
    const events = (await platform.events(live)).map(({ type }) => type).filter((type) => type.includes('settings'));
    expect(events).to.deep.equal(['sms.settings.changed', 'sms.settings.reset']);
  });

  it('two changes at once both count, on two nodes', async () => {
    const account = await platform.account();
    const node = await platform.secondNode();
    await Promise.all([
      account.svc.call('sms.settings.set', { maxSegments: 2 }),
      node.as(account.keys.live.secret).call('sms.settings.set', { replies: { stop: 'Bye.' } }),
    ]);
    const { settings } = await account.svc.call('sms.settings.get', {});
    expect([settings.maxSegments, settings.replies.stop]).to.deep.equal([2, 'Bye.']);
    // At once on the other node.
    await account.svc.call('sms.settings.set', { maxSegments: 1 });
    const refused = await node
      .as(account.keys.live.secret)
      .refusal('sms.send', { to: '+4915123456789', body: 'a'.repeat(161) });
    expect(refused).to.include({ code: 'sms_too_long' });
    await node.stop();
  });

  it('refuses what is not there, and what contradicts itself', async () => {
    const { svc } = await platform.account();
    const other = await platform.account();
    const { number } = await other.svc.call('sms.number.assign', { country: 'US' });
    const cases: readonly (readonly [input: object, code: string, field?: string])[] = [
      [{}, 'invalid_input'],
      [{ maxSegments: 11 }, 'invalid_input', 'maxSegments'],
      [{ quietHours: { from: '24:00' } }, 'invalid_input', 'quietHours.from'],
      [{ quietHours: { enabled: true, from: '08:00' } }, 'invalid_input', 'quietHours.to'],
      [{ keywords: { stop: ['Weg'], help: ['weg '] } }, 'invalid_input', 'keywords.help[0]'],
      [{ keywords: { start: ['Café'], help: ['cafe!'] } }, 'invalid_input', 'keywords.help[0]'],
      [{ keywords: { start: ['Ja', 'Stop'] } }, 'invalid_input', 'keywords.start[1]'],
      [{ keywords: { stop: ['!!'] } }, 'invalid_input', 'keywords.stop[0]'],
      [{ defaultNumberId: number.id }, 'not_found'],
    ];
    for (const [input, code, field] of cases) {
      const refused = await svc.refusal('sms.settings.set', input);
      expect(refused.code, JSON.stringify(input)).to.equal(code);
      if (field !== undefined) expect(refused.details['field']).to.equal(field);
    }
  });

  itNeeding('audience')('refuses a topic that is not there, and an archived one', async () => {
    const { svc } = await platform.account();
    expect((await svc.refusal('sms.settings.set', { consentByStart: 'nothing' })).code).to.equal('not_found');
    await svc.call('audience.topic.create', { key: 'offers', name: 'Offers' });
    await svc.call('audience.topic.archive', { topic: 'offers' });
    expect((await svc.refusal('sms.settings.set', { consentByStart: 'offers' })).code).to.equal('topic_archived');
  });

  it('the default number is the one that texts leave from', async () => {
    const { svc } = await platform.account();
    const first = (await svc.call('sms.number.assign', { country: 'US' })).number;
    const second = (await svc.call('sms.number.assign', { country: 'US' })).number;
    expect((await send(svc)).from).to.equal(first.number);
    await svc.call('sms.settings.set', { defaultNumberId: second.id });
    expect((await send(svc)).from).to.equal(second.number);
    // Without a default number every text of an environment with numbers would be blocked.
    const { settings } = await svc.call('sms.settings.reset', {});
    expect(settings.defaultNumberId).to.equal(first.id);
    expect((await send(svc)).from).to.equal(first.number);
    expect((await svc.call('sms.number.list', {})).numbers.map((each) => each.default)).to.deep.equal([false, true]);
  });
});

describe('sms.settings.set without the audience product', () => {
  const { platform } = useTexts(async () => ({ SVC_PRODUCTS: 'sms' }));

  it('refuses the field consentByStart, naming audience', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('sms.settings.set', { consentByStart: 'news' });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.details).to.deep.equal({ field: 'consentByStart' });
    expect(refused.message).to.contain('needs the product audience');
    expect((await svc.call('sms.settings.get', {})).settings.consentByStart).to.equal(null);
  });
});
