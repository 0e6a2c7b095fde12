import { expect } from 'chai';
import { activeAutomation, automationOf, linesOf, runOf, signUp } from '#test/email/automation/support.js';
import { eventually } from '#test/support/eventually.js';
import type { TestAccount } from '#test/support/platform.js';
import { mobile, subscribe, texter } from '../broadcast/support.js';
import { register, useTexts } from '../support.js';

const send = { type: 'send', channel: 'sms', template: 'sale', topic: 'offers' };

describe('Send steps of automations on sms', () => {
  const given = useTexts();
  const { platform } = given;

  const ended = async ({ svc }: TestAccount, automationId: string): Promise<string[]> => {
    await eventually(async () => (await runOf(svc, automationId)).run.endedAt !== null, 'the run has ended');
    return linesOf(await runOf(svc, automationId));
  };
  const bodiesTo = (number: string): string[] =>
    given.twilio.texts.filter(({ to }) => to === number).map(({ body }) => body);

  it('send the contact a text, rendered from the step, the contact and the event, and tie it to the run', async () => {
    const account = await texter(platform, '{{ contact.firstName }}: {{ percent }} % off {{ context.item }}');
    const { svc, live } = account;
    const [contactId = ''] = await subscribe(account, [mobile(1)], { firstName: 'Ada' });
    const steps = [{ ...send, variables: { percent: 20 } }];
    const { id: automationId } = await activeAutomation(svc, { steps });
    await signUp(svc, contactId, { item: 'shoes' });
    expect(await ended(account, automationId)).to.deep.equal(['steps[0] send sent']);
    const { history, run } = await runOf(svc, automationId);
    const { message } = await svc.call('sms.message.get', { messageId: history[0]?.messageId ?? '' });
    expect(message).to.include({ automationId, topic: 'offers', template: 'sale', contactId });
    await eventually(() => bodiesTo(mobile(1)).length === 1, 'the text arrived');
    expect(bodiesTo(mobile(1))).to.deep.equal(['Ada: 20 % off shoes']);
    await platform.settled();
    const [event, ...more] = (await platform.events(live)).filter(({ type }) => type === 'sms.automation.sent');
    expect(more).to.deep.equal([]);
    expect(event?.subjectId).to.equal(run.id);
    expect(event?.data).to.deep.include({ step: 'steps[0]', messageId: message.messageId });
  });

  it('record why a contact gets none, and the run goes on', async () => {
    const account = await texter(platform);
    const { svc, live } = account;
    await svc.call('audience.topic.create', { key: 'other', name: 'Other' });
    const [contactId = ''] = await subscribe(account, [mobile(2)]);
    const steps = [{ ...send, topic: 'other' }, send];
    const { id: automationId } = await activeAutomation(svc, { steps });
    await signUp(svc, contactId);
    expect(await ended(account, automationId)).to.deep.equal([
      'steps[0] send suppressed no_consent',
      'steps[1] send sent',
    ]);
    await platform.settled();
    const events = (await platform.events(live)).filter(({ type }) => type === 'sms.automation.suppressed');
    expect(events.map(({ data }) => [data['step'], data['reason']])).to.deep.equal([['steps[0]', 'no_consent']]);
    const { history } = await runOf(svc, automationId);
    expect(history[0]?.blocked?.details).to.deep.equal({
      rule: 'never_asked',
      since: null,
      source: null,
      recordId: null,
    });
    expect(events[0]?.data['blocked']).to.deep.equal(history[0]?.blocked);
    expect(history[1]?.blocked).to.equal(null);
  });

  it('suppress texts to contacts without a number and to those who stopped, and fail where a variable is missing', async () => {
    const account = await texter(platform, 'Hi {{ nickname }}');
    const { svc } = account;
    await svc.call('audience.contact.upsert', { email: 'ada@example.com', properties: { nickname: 'Ada' } });
    const { id: automationId } = await activeAutomation(svc, { steps: [send], reenter: true });
    const linesFor = async (contactId: string): Promise<string[]> => {
      await signUp(svc, contactId);
      await platform.settled();
      const { runs } = await svc.call('email.automation.run.list', { automationId, contactId });
      return linesOf(await svc.call('email.automation.run.get', { runId: runs[0]?.id ?? '' }));
    };
    const { contact } = await svc.call('audience.contact.upsert', { email: 'bob@example.com' });
    expect(await linesFor(contact.id)).to.deep.equal(['steps[0] send suppressed no_address']);
    const [stopped = '', nameless = ''] = await subscribe(account, [mobile(3), mobile(4)]);
    await svc.call('audience.suppression.add', { phone: mobile(3) });
    expect(await linesFor(stopped)).to.deep.equal(['steps[0] send suppressed suppressed_recipient']);
    expect(await linesFor(nameless)).to.deep.equal(['steps[0] send failed missing_variables']);
    const { runs } = await svc.call('email.automation.run.list', { automationId, contactId: nameless });
    const { history } = await svc.call('email.automation.run.get', { runId: runs[0]?.id ?? '' });
    expect(history[0]?.detail).to.equal('Neither the step, the contact nor the event has nickname.');
    expect([...bodiesTo(mobile(3)), ...bodiesTo(mobile(4))]).to.deep.equal([]);
  });

  it('need a published text template, and keep it from being deleted while the automation is active', async () => {
    const account = await texter(platform);
    const { svc } = account;
    const missing = await automationOf(svc, { steps: [{ ...send, template: 'nothing' }] });
    const { readiness } = await svc.call('email.automation.get', { automationId: missing.id });
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['template_not_published']);
    expect(readiness.problems[0]?.fix).to.contain('sms.template.publish');
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    expect((await svc.refusal('sms.template.delete', { template: 'sale' })).code).to.equal('template_in_use');
    await svc.call('email.automation.archive', { automationId });
    await svc.call('sms.template.delete', { template: 'sale' });
  });
});

describe('Send steps on sms where no text could leave', () => {
  const given = useTexts(async () => ({ SVC_SMS_REGISTRATION: 'required' }));

  it('are a problem of the automation’s readiness', async () => {
    const { svc } = await texter(given.platform);
    const { id: automationId } = await automationOf(svc, { steps: [send] });
    const { readiness } = await svc.call('email.automation.get', { automationId });
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['sms_unavailable']);
    expect(readiness.problems[0]?.fix).to.contain('sms.registration.submit');
    const refused = await svc.refusal('email.automation.activate', { automationId });
    expect(refused.code).to.equal('automation_not_ready');
  });

  it('are suppressed as registration_required once the carriers have refused the registration', async () => {
    const { platform } = given;
    const account = await texter(platform);
    const { svc, live } = account;
    await register(platform, live, 'active');
    const [contactId = ''] = await subscribe(account, [mobile(5)]);
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    await register(platform, live, 'failed');
    await signUp(svc, contactId);
    await platform.settled();
    expect(linesOf(await runOf(svc, automationId))).to.deep.equal(['steps[0] send suppressed registration_required']);
  });
});
