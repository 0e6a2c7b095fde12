import { expect } from 'chai';
import { auditOf, contactOf, eventsOf } from '#test/audience/support.js';
import { days, hours, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import {
  activeAutomation,
  automationOf,
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

describe('email.automation.activate', () => {
  const platform = usePlatform();

  it('starts enrolling, with an audit record and an event; a repeat changes nothing', async () => {
    const { svc, live } = await platform.account();
    const { id: automationId } = await automationOf(svc);
    const { result, activityId } = await svc.envelope('email.automation.activate', { automationId });
    expect(result.automation.status).to.equal('active');
    expect(await auditOf(platform, activityId)).to.deep.include({
      summary: 'Activated the automation “Welcome”.',
      changes: [{ field: 'status', from: 'draft', to: 'active' }],
    });
    await svc.call('email.automation.activate', { automationId });
    expect(await eventsOf(platform, live, 'email.automation.activated')).to.have.length(1);
    expect(await signUp(svc, (await contactOf(svc)).id)).to.deep.equal([automationId]);
  });

  it('is refused while something is missing, with everything in details', async () => {
    const { svc } = await platform.account();
    await storeTemplate(svc, 'welcome');
    const send = { type: 'send', template: 'welcome', topic: 'news', from: 'a@nowhere.example.com' };
    const { id: automationId } = await automationOf(svc, { steps: [send] });
    const refused = await svc.refusal('email.automation.activate', { automationId });
    expect(refused).to.include({ status: 409, code: 'automation_not_ready' });
    const { readiness } = await svc.call('email.automation.get', { automationId });
    expect(refused.details).to.deep.equal({ problems: readiness.problems });
    expect((await svc.call('email.automation.get', { automationId })).automation.status).to.equal('draft');
  });

  it('is refused for an archived automation and in a closed account', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await automationOf(svc);
    const { id: draft } = await automationOf(svc);
    await svc.call('email.automation.archive', { automationId });
    expect(await svc.refusal('email.automation.activate', { automationId })).to.include({
      code: 'automation_archived',
    });
    await svc.call('account.close', { reason: 'For a while.' });
    const closed = await svc.refusal('email.automation.activate', { automationId: draft });
    expect(closed).to.include({ status: 403, code: 'account_closed' });
  });

  it('uses topics and templates until it is paused or archived', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const usages = (): Promise<number> => platform.count('email_usage', "in_use_by_type = 'automation'");
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    expect(await usages()).to.equal(1);
    const inUse = await svc.refusal('audience.topic.archive', { topic: 'news' });
    expect(inUse).to.include({ code: 'topic_in_use' });
    await svc.call('email.automation.pause', { automationId });
    expect(await usages()).to.equal(0);
    await svc.call('email.automation.activate', { automationId });
    await svc.call('email.automation.archive', { automationId });
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(await usages()).to.equal(0);
  });
});

describe('email.automation.pause', () => {
  const platform = usePlatform();

  it('enrols nobody and holds every run where it is, until it is activated again', async () => {
    const { svc, live } = await platform.account();
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(60), setProperty('seen', true)] });
    const contacts = [await contactOf(svc), await contactOf(svc, { email: 'bob@example.com' })];
    for (const { id } of contacts) await signUp(svc, id);
    await platform.settled();
    const { result, activityId } = await svc.envelope('email.automation.pause', { automationId });
    expect(result).to.deep.include({ heldRuns: 2 });
    expect(result.automation.status).to.equal('paused');
    expect(await auditOf(platform, activityId)).to.deep.include({
      changes: [{ field: 'status', from: 'active', to: 'paused' }],
    });
    expect((await svc.call('email.automation.pause', { automationId })).heldRuns).to.equal(0);
    expect(await eventsOf(platform, live, 'email.automation.paused')).to.have.length(1);
    const { id: carol } = await contactOf(svc, { email: 'carol@example.com' });
    expect(await signUp(svc, carol)).to.deep.equal([]);
    platform.clock.advance(days(1));
    await platform.settled();
    expect((await runsOf(svc, { status: 'held' })).map(({ position }) => position)).to.deep.equal([
      'steps[0]',
      'steps[0]',
    ]);
    expect(await runsOf(svc, { status: 'waiting' })).to.deep.equal([]);
    const { runs } = await svc.call('email.automation.get', { automationId });
    expect(runs).to.deep.include({ waiting: 0, held: 2, byStep: { 'steps[0]': 2 } });
    await svc.call('email.automation.activate', { automationId });
    await platform.settled();
    expect(await runsOf(svc, { status: 'completed' })).to.have.length(2);
  });

  it('is refused for a draft and an archived automation', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await automationOf(svc);
    const refused = await svc.refusal('email.automation.pause', { automationId });
    expect(refused).to.include({ status: 409, code: 'automation_not_active' });
    await svc.call('email.automation.archive', { automationId });
    expect(await svc.refusal('email.automation.pause', { automationId })).to.include({ code: 'automation_not_active' });
  });
});

describe('email.automation.archive', () => {
  const platform = usePlatform();

  it('ends it for good and cancels its runs, at once and in their rows', async () => {
    const { svc, live } = await platform.account();
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(3_600)] });
    const { id: other } = await activeAutomation(svc, { steps: [wait(3_600)] });
    const { id: contactId } = await contactOf(svc);
    await signUp(svc, contactId);
    await platform.settled();
    const { result, activityId } = await svc.envelope('email.automation.archive', { automationId });
    expect(result.automation.status).to.equal('archived');
    expect(result.cancelledRuns).to.equal(1);
    expect(await auditOf(platform, activityId)).to.deep.include({ summary: 'Archived the automation “Welcome”.' });
    const archivedAt = platform.clock.now().toISOString();
    const expected = {
      status: 'cancelled',
      endReason: 'automation_archived',
      endedAt: archivedAt,
      nextAt: null,
    } as const;
    expect((await runOf(svc, automationId)).run).to.include(expected);
    platform.clock.advance(minutes(5));
    await platform.settled();
    expect((await runOf(svc, automationId)).run).to.include(expected);
    expect(await platform.count('email_automation_queue')).to.equal(1);
    expect((await runOf(svc, other)).run.status).to.equal('waiting');
    expect((await svc.call('email.automation.archive', { automationId })).cancelledRuns).to.equal(0);
    expect(await eventsOf(platform, live, 'email.automation.archived')).to.have.length(1);
    expect(await signUp(svc, contactId)).to.deep.equal([]);
    expect((await runsOf(svc, { status: 'cancelled' })).map((run) => run.automationId)).to.deep.equal([automationId]);
  });
});

describe('The runs of a closed account', () => {
  const platform = usePlatform();

  it('are held, and go on after it is opened again', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const { id } = await activeAutomation(svc, { steps: [wait(60), send] });
    await signUp(svc, await subscriberOf(svc));
    await platform.settled();
    await svc.call('account.close', { reason: 'For a while.' });
    platform.clock.advance(hours(48));
    await platform.settled();
    expect((await runOf(svc, id)).run).to.include({ status: 'held', position: 'steps[0]' });
    expect(await runsOf(svc, { status: 'held' })).to.have.length(1);
    expect(await runsOf(svc, { status: 'waiting' })).to.deep.equal([]);
    await svc.call('account.reopen', {});
    await platform.settled();
    expect(linesOf(await runOf(svc, id))).to.deep.equal(['steps[0] wait waited', 'steps[1] send sent']);
  });
});
