import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { days, minutes, seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { contactOf, eventsOf } from '#test/audience/support.js';
import {
  activeAutomation,
  branch,
  linesOf,
  readyToSend,
  runOf,
  runsOf,
  setProperty,
  signUp,
  storeTemplate,
  subscriberOf,
  wait,
} from './support.js';

describe('A run of an automation', () => {
  const platform = usePlatform();

  it('takes its steps one after the other: mail, wait, branch and property', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const send = await readyToSend(platform, account);
    await storeTemplate(svc, 'welcome', {
      subject: 'Hi {{ contact.firstName }}',
      text: '{{ plan }} {{ code }} {{ context.source }} {{ preferencesUrl }}',
    });
    const { id: contactId } = await contactOf(svc, {
      email: 'ada@example.com',
      firstName: 'Ada',
      properties: { plan: 'pro' },
      consents: [{ topic: 'news', channel: 'email', source: 'test' }],
    });
    const { id } = await activeAutomation(svc, {
      steps: [
        { ...send, variables: { code: 'A1', plan: 'none' } },
        wait(60),
        branch(
          { field: 'properties.plan', op: 'eq', value: 'pro' },
          [
            setProperty('welcomed', true),
            { ...send, subject: 'Again, {{ contact.firstName }}', variables: { code: 'B2' } },
          ],
          [setProperty('welcomed', false)],
        ),
      ],
    });
    expect(await signUp(svc, contactId, { source: 'shop' })).to.deep.equal([id]);
    await platform.settled();
    const waiting = await runOf(svc, id);
    expect(linesOf(waiting)).to.deep.equal(['steps[0] send sent']);
    expect(waiting.run).to.deep.include({
      automationId: id,
      contactId,
      status: 'waiting',
      position: 'steps[1]',
      context: { source: 'shop' },
      nextAt: new Date(platform.clock.now().getTime() + minutes(1)).toISOString(),
      endedAt: null,
      endReason: null,
    });
    platform.clock.advance(minutes(1));
    await platform.settled();
    const done = await runOf(svc, id);
    expect(linesOf(done)).to.deep.equal([
      'steps[0] send sent',
      'steps[1] wait waited',
      'steps[2] branch then',
      'steps[2].then[0] property.set set',
      'steps[2].then[1] send sent',
    ]);
    expect(done.run).to.include({ status: 'completed', nextAt: null, endReason: null });
    const { contact } = await svc.call('audience.contact.get', { contactId });
    expect(contact.properties).to.deep.equal({ plan: 'pro', welcomed: true });

    const [first, second] = done.history.flatMap(({ messageId }) => messageId ?? []);
    const one = await svc.call('email.message.get', { messageId: first ?? '' });
    expect(one.message).to.include({
      subject: 'Hi Ada',
      automationId: id,
      contactId,
      topic: 'news',
      template: 'welcome',
      templateVersion: 2,
    });
    expect(one.content?.text).to.match(/^pro A1 shop http/);
    const two = await svc.call('email.message.get', { messageId: second ?? '' });
    expect(two.message.subject).to.equal('Again, Ada');
    const events = await eventsOf(platform, live, 'email.automation.sent');
    expect(events.map(({ subjectId, personId }) => [subjectId, personId])).to.deep.equal([
      [done.run.id, contactId],
      [done.run.id, contactId],
    ]);
  });

  it('goes on where a contact may not be sent the mail, and says why', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const send = await readyToSend(platform, account);
    const { id } = await activeAutomation(svc, { steps: [send, setProperty('seen', true)] });
    const { id: contactId } = await contactOf(svc);
    await signUp(svc, contactId);
    await platform.settled();
    const run = await runOf(svc, id);
    expect(linesOf(run)).to.deep.equal(['steps[0] send suppressed no_consent', 'steps[1] property.set set']);
    expect(run.run.status).to.equal('completed');
    const [event] = await eventsOf(platform, live, 'email.automation.suppressed');
    expect(event?.data).to.deep.include({ step: 'steps[0]', reason: 'no_consent' });
    expect((await svc.call('email.message.list', {})).messages).to.deep.equal([]);
  });

  it('tells in its history and event whether the contact was never asked or said no', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const send = await readyToSend(platform, account);
    const { id: automationId } = await activeAutomation(svc, { steps: [send], reenter: true });
    const blockedOf = async (contactId: string) => {
      await signUp(svc, contactId);
      await platform.settled();
      const { runs } = await svc.call('email.automation.run.list', { automationId, contactId });
      const { history } = await svc.call('email.automation.run.get', { runId: runs[0]?.id ?? '' });
      const events = await eventsOf(platform, live, 'email.automation.suppressed');
      expect(events.at(-1)?.data).to.deep.include({ blocked: history[0]?.blocked });
      expect(history[0]?.reason).to.equal('no_consent');
      return history[0]?.blocked;
    };
    const { id: never } = await contactOf(svc, { email: 'never@example.com' });
    const blocked = await blockedOf(never);
    expect(blocked?.details).to.include({ rule: 'never_asked', recordId: null });
    expect(blocked?.fix).to.include('audience.consent.grant');
    const { id: contactId } = await contactOf(svc, { email: 'no@example.com' });
    const no = { contactId, topic: 'news', channel: 'email' as const, source: 'call' };
    const { consents } = await svc.call('audience.consent.revoke', no);
    const said = await blockedOf(contactId);
    const [record] = consents;
    expect(said?.details).to.deep.equal({
      rule: 'opted_out',
      since: record?.givenAt,
      source: 'call',
      recordId: record?.id,
    });
    expect(said?.message).to.include('unsubscribed');
  });

  it('calls an archived topic and one without the channel no_consent, as a message under it does', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    await svc.call('audience.topic.create', { key: 'texts', name: 'Texts', channels: ['sms'] });
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(60)] });
    await svc.call('audience.topic.archive', { topic: 'news' });
    const { id: contactId } = await contactOf(svc);
    await svc.call('email.automation.update', { automationId, steps: [send, { ...send, topic: 'texts' }] });
    await signUp(svc, contactId);
    await platform.settled();
    expect(linesOf(await runOf(svc, automationId))).to.deep.equal([
      'steps[0] send suppressed no_consent',
      'steps[1] send suppressed no_consent',
    ]);
  });

  it('waits 90 days across a restart', async () => {
    const { svc } = await platform.account();
    const { id } = await activeAutomation(svc, { steps: [wait(7_776_000), setProperty('late', true)] });
    const { id: contactId } = await contactOf(svc);
    await signUp(svc, contactId);
    await platform.settled();
    await platform.restart();
    platform.clock.advance(days(90) - 1);
    await platform.settled();
    expect((await runOf(svc, id)).run.status).to.equal('waiting');
    platform.clock.advance(1);
    await platform.settled();
    expect(linesOf(await runOf(svc, id))).to.deep.equal(['steps[0] wait waited', 'steps[1] property.set set']);
  });

  it('fails where the template needs a variable that this contact lacks', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    await storeTemplate(svc, 'welcome', { text: '{{ city }} {{ context.plan }} {{ contact.firstName }}' });
    await contactOf(svc, { email: 'bob@example.com', properties: { city: 'Bern' } });
    const { id } = await activeAutomation(svc, { steps: [send, setProperty('seen', true)] });
    await signUp(svc, await subscriberOf(svc));
    await platform.settled();
    const run = await runOf(svc, id);
    expect(linesOf(run)).to.deep.equal(['steps[0] send failed missing_variables']);
    expect(run.run).to.include({ status: 'failed', endReason: 'missing_variables', position: 'steps[0]' });
    expect(run.history[0]?.detail).to.equal('Neither the step, the contact nor the event has city, context.plan.');
  });

  it('makes no mail for suppressed contacts, those without an address, and in test environments', async () => {
    const account = await platform.account();
    const { svc, svcTest } = account;
    const send = await readyToSend(platform, account);
    const { id } = await activeAutomation(svc, { steps: [send, setProperty('seen', true)] });
    const suppressed = await subscriberOf(svc);
    await svc.call('audience.suppression.add', { email: 'ada@example.com' });
    const { id: phoneOnly } = await contactOf(svc, { phone: '+4915123456789' });
    for (const contactId of [suppressed, phoneOnly]) await signUp(svc, contactId);
    await platform.settled();
    const reasons = [];
    for (const { id: runId, status } of await runsOf(svc, { automationId: id })) {
      const { history } = await svc.call('email.automation.run.get', { runId });
      reasons.push([status, history[0]?.reason]);
    }
    expect(reasons).to.deep.equal([
      ['completed', 'suppressed_recipient'],
      ['completed', 'no_address'],
    ]);
    const inTest = await readyToSend(platform, { ...account, svc: svcTest, live: account.test });
    const { id: other } = await activeAutomation(svcTest, { steps: [inTest] });
    await signUp(svcTest, await subscriberOf(svcTest));
    await platform.settled();
    expect(linesOf(await runOf(svcTest, other))).to.deep.equal(['steps[0] send suppressed test_environment']);
  });

  it('fails where the template is no longer published', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(60), send] });
    await signUp(svc, await subscriberOf(svc));
    await platform.settled();
    expect(await svc.refusal('email.template.delete', { template: 'welcome' })).to.include({ code: 'template_in_use' });
    await svc.call('email.automation.update', { automationId, steps: [wait(60), { ...send, template: 'other' }] });
    platform.clock.advance(minutes(1));
    await platform.settled();
    expect((await runOf(svc, automationId)).run).to.include({ status: 'failed', endReason: 'template_not_published' });
  });

  it('speaks the contact’s language, else the project’s', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const locales = { de: { subject: 'Hallo', text: 'Hallo' }, en: { subject: 'Hello', text: 'Hello' } };
    await svc.call('email.template.draft.save', { template: 'welcome', locales, defaultLocale: 'de' });
    await svc.call('email.template.publish', { template: 'welcome' });
    const { id } = await activeAutomation(svc, { steps: [send] });
    const ada = await subscriberOf(svc);
    await svc.call('audience.contact.update', { contactId: ada, locale: 'de-AT' });
    for (const contactId of [ada, await subscriberOf(svc, 'bob@example.com')]) await signUp(svc, contactId);
    await platform.settled();
    const { messages } = await svc.call('email.message.list', {});
    expect(
      messages.map(({ subject, templateLocale, automationId }) => [subject, templateLocale, automationId]),
    ).to.have.deep.members([
      ['Hallo', 'de', id],
      ['Hello', 'en', id],
    ]);
  });
});

describe('Runs that are under way', () => {
  const platform = usePlatform();

  it('take no step after a pause was answered, and no step after they were cancelled', async () => {
    const { svc, live } = await platform.account();
    const steps = Array.from({ length: 49 }, (_, index) => setProperty(`p${index}`, index));
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(1), ...steps] });
    const contacts = Array.from({ length: 40 }, (_, index) => ({ email: `c${index}@example.com` }));
    await svc.call('audience.contact.import', { contacts });
    await platform.settled();
    for (const { email } of contacts) await svc.call('audience.event.record', { email, name: 'signup' });
    await platform.settled();
    platform.clock.advance(seconds(1));
    const taken = (): Promise<number> => platform.count('email_automation_history');
    await eventually(async () => (await taken()) > 200, 'some steps');
    await svc.call('email.automation.pause', { automationId });
    const before = await taken();
    await platform.settled();
    expect(await taken()).to.equal(before);
    expect(before).to.be.lessThan(40 * 50);
    const events = await eventsOf(platform, live, 'audience.contact.updated');
    expect(events).to.have.length(await platform.count('email_automation_history', "type = 'property.set'"));

    await svc.call('email.automation.activate', { automationId });
    const runs = await runsOf(svc, { status: 'waiting' });
    const cancelled = await Promise.all(
      runs.slice(0, 20).map(({ id }) => svc.call('email.automation.run.cancel', { runId: id })),
    );
    await platform.settled();
    const counts = (await svc.call('email.automation.get', { automationId })).runs;
    const expected = cancelled.reduce((sum, { cancelledRuns }) => sum + cancelledRuns, 0);
    expect(counts).to.include({ waiting: 0, held: 0, cancelled: expected, completed: 40 - expected });
    expect(await platform.count('email_automation_queue')).to.equal(0);
    // Each step that was taken left one event and one row of history.
    const after = await eventsOf(platform, live, 'audience.contact.updated');
    expect(after).to.have.length(await platform.count('email_automation_history', "type = 'property.set'"));
  });
});
