import { expect } from 'chai';
import { auditOf, contactOf, eventsOf } from '#test/audience/support.js';
import { minutes } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { usePlatform } from '#test/support/platform.js';
import {
  activeAutomation,
  automationOf,
  branch,
  linesOf,
  readyToSend,
  runOf,
  runsOf,
  setProperty,
  signUp,
  storeTemplate,
  wait,
} from './support.js';

describe('email.automation.update', () => {
  const platform = usePlatform();

  it('changes what is given, and resets reenter', async () => {
    const { svc, live } = await platform.account();
    const { id: automationId } = await automationOf(svc, { reenter: true });
    platform.clock.advance(1_000);
    const filter = { field: 'context.plan', op: 'exists' as const };
    const { result, activityId } = await svc.envelope('email.automation.update', {
      automationId,
      name: 'Hello',
      triggerFilter: filter,
    });
    expect(result.automation).to.deep.include({
      name: 'Hello',
      triggerEvent: 'signup',
      triggerFilter: filter,
      steps: [wait(60)],
      reenter: false,
      updatedAt: platform.clock.now().toISOString(),
    });
    expect(await auditOf(platform, activityId)).to.deep.include({
      summary: 'Changed the automation “Hello”.',
      changes: [
        { field: 'name', from: 'Welcome', to: 'Hello' },
        { field: 'triggerFilter', from: null, to: filter },
        { field: 'reenter', from: true, to: false },
      ],
    });
    expect(await eventsOf(platform, live, 'email.automation.updated')).to.have.length(1);
    const cleared = await svc.call('email.automation.update', {
      automationId,
      triggerFilter: null,
      triggerEvent: 'login',
    });
    expect(cleared.automation).to.include({ triggerFilter: null, triggerEvent: 'login' });
  });

  it('writes no event where nothing changes', async () => {
    const { svc, live } = await platform.account();
    const { id: automationId, updatedAt } = await automationOf(svc);
    platform.clock.advance(1_000);
    const { automation } = await svc.call('email.automation.update', { automationId, steps: [wait(60)] });
    expect(automation.updatedAt).to.equal(updatedAt);
    expect(await eventsOf(platform, live, 'email.automation.updated')).to.deep.equal([]);
  });

  it('refuses an archived automation, and wrong steps', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await automationOf(svc);
    const wrong = await svc.refusal('email.automation.update', { automationId, steps: [wait(0)] });
    expect(wrong.details).to.deep.equal({ field: 'steps[0].seconds' });
    await svc.call('email.automation.archive', { automationId });
    const refused = await svc.refusal('email.automation.update', { automationId, name: 'Hello' });
    expect(refused).to.include({ status: 409, code: 'automation_archived' });
  });

  it('lets runs finish the wait they are in, and follow the new steps from there', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(60), setProperty('old', true)] });
    const { id: contactId } = await contactOf(svc);
    await signUp(svc, contactId);
    await platform.settled();
    await svc.call('email.automation.update', {
      automationId,
      steps: [
        setProperty('first', true),
        wait(3_600),
        branch({ field: 'properties.old', op: 'exists' }, [], [setProperty('new', true)]),
      ],
    });
    expect((await runOf(svc, automationId)).run).to.include({ status: 'waiting', position: 'steps[1]' });
    platform.clock.advance(minutes(1));
    await platform.settled();
    expect(linesOf(await runOf(svc, automationId))).to.deep.equal([
      'steps[1] wait waited',
      'steps[2] branch else',
      'steps[2].else[0] property.set set',
    ]);
  });

  it('completes a run whose step is gone, when it would go on', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(60), setProperty('a', 1)] });
    await signUp(svc, (await contactOf(svc)).id);
    await platform.settled();
    await svc.call('email.automation.update', { automationId, steps: [setProperty('b', 1)] });
    const { runs } = await svc.call('email.automation.get', { automationId });
    expect(runs).to.deep.include({ waiting: 1, byStep: { removed: 1 } });
    platform.clock.advance(minutes(1));
    await platform.settled();
    const { run, history } = await runOf(svc, automationId);
    expect(run).to.include({ status: 'completed', endReason: 'steps_changed', position: 'steps[0]' });
    expect(history).to.deep.equal([]);
    expect(await runsOf(svc, { status: 'completed' })).to.have.length(1);
  });

  it('moves the usages of an active automation to what it uses now', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    expect(await svc.refusal('audience.topic.archive', { topic: 'news' })).to.include({ code: 'topic_in_use' });
    await svc.call('email.automation.update', { automationId, steps: [wait(1)] });
    await svc.call('audience.topic.archive', { topic: 'news' });
    // What an update makes unready is reported, and keeps the automation active.
    const { automation, readiness } = await svc.call('email.automation.update', { automationId, steps: [send] });
    expect([automation.status, ...readiness.problems.map(({ code }) => code)]).to.deep.equal([
      'active',
      'topic_unknown',
    ]);
  });

  it('uses what an active automation named before it was usable, as soon as it is', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    const later = { ...send, template: 'later', topic: 'offers' };
    const never = { ...send, template: 'Kein Name ü'.repeat(9), topic: 'Kein Schlüssel '.repeat(6) };
    const updated = await svc.call('email.automation.update', { automationId, steps: [later, never] });
    const codes = ['topic_unknown', 'template_not_published', 'topic_unknown', 'template_not_published'];
    const codesOf = (readiness: typeof updated.readiness): string[] => readiness.problems.map(({ code }) => code);
    expect(codesOf(updated.readiness)).to.deep.equal(codes);
    // Readiness is worked out whenever it is read.
    expect(codesOf((await svc.call('email.automation.get', { automationId })).readiness)).to.deep.equal(codes);
    await svc.call('audience.topic.create', { key: 'offers', name: 'Offers' });
    await storeTemplate(svc, 'later');
    const { automations } = await svc.call('email.automation.list', {});
    expect(automations.map(({ readiness }) => codesOf(readiness))).to.deep.equal([codes.slice(2)]);
    expect(await svc.refusal('audience.topic.archive', { topic: 'offers' })).to.include({ code: 'topic_in_use' });
    expect(await svc.refusal('email.template.delete', { template: 'later' })).to.include({ code: 'template_in_use' });
    await svc.call('email.automation.pause', { automationId });
    await svc.call('audience.topic.archive', { topic: 'offers' });
    await svc.call('email.template.delete', { template: 'later' });
  });

  it('marks a domain that is not verified yet as in use', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const { domain } = await svc.call('email.domain.add', { domain: 'later.example' });
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    await svc.call('email.automation.update', { automationId, steps: [{ ...send, from: 'hello@later.example' }] });
    const domainId = domain.id;
    expect(await svc.refusal('email.domain.remove', { domainId })).to.include({ code: 'domain_in_use' });
    await svc.call('email.automation.update', { automationId, steps: [send] });
    await svc.call('email.domain.remove', { domainId });
  });

  itNeeding('sms')('uses a text template from when it is published', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    const text = { type: 'send', channel: 'sms', template: 'later', topic: 'news' };
    await svc.call('email.automation.update', { automationId, steps: [text] });
    await svc.call('sms.template.draft.save', { template: 'later', locales: { en: { body: 'Hello' } } });
    await svc.call('sms.template.publish', { template: 'later' });
    expect(await svc.refusal('sms.template.delete', { template: 'later' })).to.include({ code: 'template_in_use' });
  });
});
