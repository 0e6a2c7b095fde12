import { expect } from 'chai';
import { auditOf, contactOf, eventsOf, topicOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';
import { automationOf, branch, ownAddress, readyToSend, storeTemplate, wait } from './support.js';

describe('email.automation.create', () => {
  const platform = usePlatform();

  it('creates a draft that enrols nobody, with an audit record and an event', async () => {
    const { svc, live } = await platform.account();
    const filter = { field: 'context.plan', op: 'eq' as const, value: 'pro' };
    const input = { name: 'Welcome', triggerEvent: 'signup', triggerFilter: filter, steps: [wait(60)], reenter: true };
    const { result, activityId } = await svc.envelope('email.automation.create', input);
    const now = platform.clock.now().toISOString();
    const { id, ...facts } = result.automation;
    expect(facts).to.deep.equal({ ...input, status: 'draft', createdAt: now, updatedAt: now });
    expect(result.readiness).to.deep.equal({ ok: true, problems: [] });
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'email.automation.create',
      subject: `automation ${id}`,
      summary: 'Created the automation “Welcome”.',
    });
    const [event] = await eventsOf(platform, live, 'email.automation.created');
    expect(event).to.deep.include({ subjectId: id, activityId, data: { automation: result.automation } });
    const { id: contactId } = await contactOf(svc);
    const recorded = await svc.call('audience.event.record', {
      contactId,
      name: 'signup',
      properties: { plan: 'pro' },
    });
    expect(recorded.enrolled).to.deep.equal([]);
  });

  it('sets no filter and no reentry by default', async () => {
    const { svc } = await platform.account();
    expect(await automationOf(svc)).to.deep.include({ triggerFilter: null, reenter: false });
  });

  it('refuses names that no event can have, and filters that are not conditions', async () => {
    const { svc } = await platform.account();
    const input = { name: 'Welcome', steps: [wait(1)] };
    for (const triggerEvent of ['Sign up', '', 'x'.repeat(101)]) {
      const refused = await svc.refusal('email.automation.create', { ...input, triggerEvent });
      expect(refused.details, triggerEvent).to.deep.include({ field: 'triggerEvent' });
    }
    for (const [triggerFilter, field] of [
      [{ field: 'email', op: 'exists' }, 'triggerFilter.field'],
      [{ field: 'context.a', op: 'eq' }, 'triggerFilter.value'],
      [{ field: 'context.a', op: 'exists', value: 1 }, 'triggerFilter.value'],
      [{ field: 'context.a', op: 'in', value: 1 }, 'triggerFilter.op'],
    ] as const) {
      const refused = await svc.refusal('email.automation.create', { ...input, triggerEvent: 'signup', triggerFilter });
      expect(refused.details, field).to.deep.include({ field });
    }
  });
});

describe('The trigger of an automation', () => {
  const platform = usePlatform();
  const input = { name: 'Welcome', steps: [wait(60)] };

  it('that is nearly an event of svc is refused with the name that was meant, also in an update', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await automationOf(svc);
    for (const [triggerEvent, meant] of [
      ['email.sentt', 'email.sent'],
      ['auth.user.creatd', 'auth.user.created'],
      ['emial.sent', 'email.sent'],
    ] as const)
      for (const refused of [
        await svc.refusal('email.automation.create', { ...input, triggerEvent }),
        await svc.refusal('email.automation.update', { automationId, triggerEvent }),
      ]) {
        expect(refused).to.deep.include({ code: 'invalid_input', details: { field: 'triggerEvent' } });
        expect(refused.message).to.contain(`Did you mean “${meant}”?`);
        expect(refused.fix).to.contain(`Name “${meant}”`).and.to.contain('audience.event.record');
      }
  });

  it('may be any other event of the caller’s own, and any that was recorded', async () => {
    const { svc, svcTest } = await platform.account();
    for (const triggerEvent of ['email.opened', 'email.delivered', 'billing.upgraded', 'sent', 'order.placed'])
      await automationOf(svc, { triggerEvent });
    const { id: contactId } = await contactOf(svc);
    await svc.call('audience.event.record', { contactId, name: 'auth.user.create' });
    const { id: automationId } = await automationOf(svc, { triggerEvent: 'auth.user.create' });
    await svc.call('email.automation.update', { automationId, triggerEvent: 'auth.user.create', reenter: true });
    const elsewhere = await svcTest.refusal('email.automation.create', { ...input, triggerEvent: 'auth.user.create' });
    expect(elsewhere.code).to.equal('invalid_input');
  });
});

describe('The readiness of an automation', () => {
  const platform = usePlatform();

  it('names everything that is missing, once, with its next step', async () => {
    const { svc } = await platform.account();
    await topicOf(svc, { key: 'texts', name: 'Texts', channels: ['sms'] });
    await topicOf(svc, { key: 'old', name: 'Old' });
    await svc.call('audience.topic.archive', { topic: 'old' });
    const send = { type: 'send', template: 'welcome', topic: 'news', from: 'hello@nowhere.example.com' };
    const { readiness } = await svc.call('email.automation.create', {
      name: 'Welcome',
      triggerEvent: 'developers.key.created',
      steps: [
        send,
        branch({ field: 'properties.a', op: 'exists' }, [send], [{ ...send, topic: 'texts' }]),
        { ...send, topic: 'old' },
        { type: 'send', channel: 'sms', template: 'welcome', topic: 'texts' },
      ],
    });
    expect(readiness.ok).to.equal(false);
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal([
      'trigger_without_contact',
      'legal_address_missing',
      'topic_unknown',
      'template_not_published',
      'sender_not_verified',
      'topic_channel_missing',
      'topic_unknown',
      'sms_unavailable',
    ]);
    for (const { message, fix } of readiness.problems)
      expect([message, fix].every((text) => text.endsWith('.'))).to.equal(true);
  });

  it('names fields of context in conditions that svc’s own event does not have', async () => {
    const { svc } = await platform.account();
    const on = (field: string): { field: string; op: 'exists' } => ({ field, op: 'exists' });
    const steps = [
      branch(on('context.contact.emial')),
      branch(on('context.contact.properties.plan')),
      branch(on('context.contact.email'), [branch(on('context.plan'))]),
      branch(on('context.plan')),
    ];
    const create = async (triggerEvent: string, field: string): Promise<[string, string][]> => {
      const input = { name: 'Welcome', triggerEvent, triggerFilter: on(field), steps };
      const { readiness } = await svc.call('email.automation.create', input);
      return readiness.problems.map(({ code, message }) => [code, /context[.\w]+/.exec(message)?.[0] ?? '']);
    };
    expect(await create('audience.contact.created', 'context.contat.id')).to.deep.equal([
      ['variables_missing', 'context.contat.id'],
      ['variables_missing', 'context.contact.emial'],
      ['variables_missing', 'context.plan'],
    ]);
    expect(await create('signup', 'context.contat.id')).to.deep.equal([]);
  });

  it('names variables that nothing provides, but not those with a default', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const text =
      '{{ plan }} {{ code }} {{ city }} {{ nick | default: "you" }} {{ contact.firstName }} {{ context.order.id }}';
    await storeTemplate(svc, 'welcome', { text });
    await contactOf(svc, { email: 'ada@example.com', properties: { plan: 'pro' } });
    const input = { name: 'Welcome', triggerEvent: 'signup' };
    const readinessWith = async (step: object) =>
      (await svc.call('email.automation.create', { ...input, steps: [{ ...send, ...step }] })).readiness.problems;
    const [missing, ...others] = await readinessWith({ subject: 'Hi {{ name }}' });
    expect(others).to.deep.equal([]);
    expect(missing).to.include({ code: 'variables_missing' });
    expect(missing?.message).to.contain('needs name, code, city,');
    expect(await readinessWith({ variables: { code: 'A', city: 'Bern' } })).to.deep.equal([]);
  });

  it('names fields that contacts do not have, such as a misspelt one', async () => {
    const account = await platform.account();
    const send = await readyToSend(platform, account);
    const text = '{{ contact.fristName }} {{ contact.timeZone }} {{ context.anything }}';
    await storeTemplate(account.svc, 'welcome', { text });
    const input = { name: 'Welcome', triggerEvent: 'signup', steps: [send] };
    const { readiness } = await account.svc.call('email.automation.create', input);
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['variables_missing']);
    expect(readiness.problems[0]?.message).to.contain('needs contact.fristName, which');
    expect(readiness.problems[0]?.fix).to.contain('`contact` has email, phone, firstName');
  });

  it('names fields that svc’s own event does not have, and knows nothing of events that callers record', async () => {
    const account = await platform.account();
    const send = await readyToSend(platform, account);
    const text = '{{ context.contact.email }} {{ context.country }} {{ context.plan | default: "free" }}';
    await storeTemplate(account.svc, 'welcome', { text });
    const problemsOf = async (triggerEvent: string) => {
      const input = { name: 'Welcome', triggerEvent, steps: [send] };
      return (await account.svc.call('email.automation.create', input)).readiness.problems;
    };
    const [missing, ...others] = await problemsOf('audience.contact.created');
    expect(others).to.deep.equal([]);
    expect(missing).to.include({ code: 'variables_missing' });
    expect(missing?.message).to.contain('needs context.country, which');
    expect(missing?.fix).to.contain('`context` has contact in this event.');
    expect(await problemsOf('order.placed')).to.deep.equal([]);
  });

  it('names topics that conditions misspell, and takes those that are archived', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    await topicOf(svc, { key: 'old' });
    await svc.call('audience.topic.archive', { topic: 'old' });
    const asks = (topic: string): object => ({ field: `consent.${topic}`, op: 'eq', value: true });
    const { readiness } = await svc.call('email.automation.create', {
      name: 'Welcome',
      triggerEvent: 'signup',
      triggerFilter: { field: 'consent.sms.nwes', op: 'exists' },
      steps: [branch(asks('news'), [branch(asks('old'), [], [branch(asks('nwes'))])]), branch(asks('offer'))],
    });
    expect(readiness.problems.map(({ code, message }) => [code, message])).to.deep.equal(
      ['nwes', 'offer'].map((topic) => ['topic_unknown', `There is no topic “${topic}”, which a condition refers to.`]),
    );
  });

  it('names variables that a template uses in one of its languages only', async () => {
    const account = await platform.account();
    const send = await readyToSend(platform, account);
    await storeTemplate(account.svc, 'welcome', { text: 'Hallo {{ vorname }}', locale: 'de' });
    const input = { name: 'Welcome', triggerEvent: 'signup', steps: [send] };
    const { readiness } = await account.svc.call('email.automation.create', input);
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['variables_missing']);
    expect(readiness.problems[0]?.message).to.contain('needs vorname,');
  });

  it('has events about contacts, messages and users, and those of your own', async () => {
    const { svc } = await platform.account();
    const codes = async (triggerEvent: string): Promise<string[]> =>
      (await svc.call('email.automation.create', { name: 'A', triggerEvent, steps: [wait(1)] })).readiness.problems.map(
        ({ code }) => code,
      );
    for (const name of [
      'order.placed',
      'audience.contact.created',
      'audience.consent.granted',
      'email.sent',
      'email.automation.sent',
    ])
      expect(await codes(name), name).to.deep.equal([]);
    for (const name of [
      'account.updated',
      'developers.webhook.created',
      'audience.topic.created',
      'email.sender.changed',
    ])
      expect(await codes(name), name).to.deep.equal(['trigger_without_contact']);
  });

  it('knows that the project’s own domain is verified', async () => {
    const account = await platform.account();
    await readyToSend(platform, account);
    const from = await ownAddress(platform, account.live);
    const steps = [{ type: 'send', template: 'welcome', topic: 'news', from }];
    const { readiness } = await account.svc.call('email.automation.create', {
      name: 'A',
      triggerEvent: 'signup',
      steps,
    });
    expect(readiness.problems).to.deep.equal([]);
  });
});
