import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf, contactOf, eventsOf } from '#test/audience/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { activeAutomation, runOf, runsOf, setProperty, signUp, wait } from '../support.js';

describe('email.automation.run.cancel', () => {
  const platform = usePlatform();

  it('cancels one run, with an audit record and an event; a repeat cancels nothing', async () => {
    const { svc, live } = await platform.account();
    const { id } = await activeAutomation(svc, { steps: [wait(60), setProperty('seen', true)] });
    const { id: contactId } = await contactOf(svc);
    const { id: other } = await contactOf(svc, { email: 'bob@example.com' });
    await signUp(svc, contactId);
    await signUp(svc, other);
    await platform.settled();
    const [run] = await runsOf(svc, { contactId });
    const runId = run?.id ?? '';
    const { result, activityId } = await svc.envelope('email.automation.run.cancel', { runId });
    expect(result).to.deep.equal({ cancelledRuns: 1 });
    expect(await auditOf(platform, activityId)).to.deep.include({
      subject: `run ${runId}`,
      personId: contactId,
      summary: 'Cancelled a run.',
    });
    const after = await svc.call('email.automation.run.get', { runId });
    const now = platform.clock.now().toISOString();
    expect(after.run).to.include({ status: 'cancelled', endReason: 'cancelled', endedAt: now, nextAt: null });
    const [event] = await eventsOf(platform, live, 'email.automation.cancelled');
    expect(event).to.deep.include({ subjectId: runId, personId: contactId, data: { run: after.run } });
    expect(await svc.call('email.automation.run.cancel', { runId })).to.deep.equal({ cancelledRuns: 0 });
    platform.clock.advance(minutes(1));
    await platform.settled();
    expect((await svc.call('audience.contact.get', { contactId })).contact.properties).to.deep.equal({});
    expect((await svc.call('audience.contact.get', { contactId: other })).contact.properties).to.deep.equal({
      seen: true,
    });
    expect((await svc.call('email.automation.get', { automationId: id })).runs).to.include({
      completed: 1,
      cancelled: 1,
    });
  });

  it('cancels every open run of a contact, held ones too', async () => {
    const { svc } = await platform.account();
    const one = await activeAutomation(svc);
    const two = await activeAutomation(svc, { triggerEvent: 'login', steps: [setProperty('in', true)] });
    const three = await activeAutomation(svc);
    const { id: contactId } = await contactOf(svc);
    await signUp(svc, contactId);
    await svc.call('audience.event.record', { contactId, name: 'login' });
    await platform.settled();
    await svc.call('email.automation.pause', { automationId: three.id });
    expect(await svc.call('email.automation.run.cancel', { contactId })).to.deep.equal({ cancelledRuns: 2 });
    expect(await svc.call('email.automation.run.cancel', { contactId })).to.deep.equal({ cancelledRuns: 0 });
    expect((await runOf(svc, one.id)).run.status).to.equal('cancelled');
    expect((await runOf(svc, two.id)).run.status).to.equal('completed');
    expect((await runOf(svc, three.id)).run.status).to.equal('cancelled');
  });

  it('needs one of the two, and finds neither runs nor contacts of others', async () => {
    const { svc } = await platform.account();
    const stranger = await platform.account();
    const { id: foreign } = await contactOf(stranger.svc);
    for (const input of [{}, { runId: newId(), contactId: newId() }])
      expect(await svc.refusal('email.automation.run.cancel', input)).to.include({ code: 'invalid_input' });
    for (const input of [{ runId: newId() }, { contactId: newId() }, { contactId: foreign }])
      expect(await svc.refusal('email.automation.run.cancel', input)).to.include({ code: 'not_found' });
  });
});

describe('email.automation.run.list and get', () => {
  const platform = usePlatform();

  it('list runs, newest first, by automation, contact and status', async () => {
    const { svc } = await platform.account();
    const waiting = await activeAutomation(svc);
    const done = await activeAutomation(svc, { steps: [setProperty('a', 1)] });
    const contacts = [];
    for (let index = 0; index < 3; index += 1) contacts.push(await contactOf(svc, { email: `c${index}@example.com` }));
    for (const { id } of contacts) await signUp(svc, id);
    await platform.settled();
    expect(await runsOf(svc)).to.have.length(6);
    expect((await runsOf(svc, { automationId: done.id })).map(({ contactId }) => contactId)).to.deep.equal(
      contacts.map(({ id }) => id),
    );
    expect(await runsOf(svc, { status: 'waiting', contactId: contacts[0]?.id ?? '' })).to.have.length(1);
    expect((await runsOf(svc, { status: 'completed' })).every(({ automationId }) => automationId === done.id)).to.equal(
      true,
    );
    const first = await svc.call('email.automation.run.list', { automationId: waiting.id, limit: 2 });
    const second = await svc.call('email.automation.run.list', {
      automationId: waiting.id,
      limit: 2,
      before: first.nextBefore ?? '',
    });
    expect([...first.runs, ...second.runs].map(({ contactId }) => contactId)).to.deep.equal(
      contacts.map(({ id }) => id).reverse(),
    );
    expect(second.nextBefore).to.equal(null);
    for (const input of [{ automationId: newId() }, { contactId: newId() }])
      expect(await svc.refusal('email.automation.run.list', input)).to.include({ code: 'not_found' });
    expect(await svc.refusal('email.automation.run.get', { runId: newId() })).to.include({ code: 'not_found' });
  });
});

describe('email.automation.get and list', () => {
  const platform = usePlatform();

  it('count the runs at each step, and list automations with their readiness', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await activeAutomation(svc, { steps: [wait(60), wait(7_200)] });
    for (let index = 0; index < 3; index += 1) {
      const { id } = await contactOf(svc, { email: `c${index}@example.com` });
      await signUp(svc, id);
      await platform.settled();
      if (index === 1) platform.clock.advance(hours(1));
      await platform.settled();
    }
    const { runs } = await svc.call('email.automation.get', { automationId });
    const byStep = { 'steps[0]': 1, 'steps[1]': 2 };
    expect(runs).to.deep.equal({ waiting: 3, held: 0, completed: 0, cancelled: 0, failed: 0, byStep });
    await svc.call('email.automation.create', { name: 'B', triggerEvent: 'account.updated', steps: [wait(1)] });
    const { automations } = await svc.call('email.automation.list', {});
    expect(automations.map(({ name, readiness }) => [name, readiness.ok])).to.deep.equal([
      ['B', false],
      ['Welcome', true],
    ]);
    const active = await svc.call('email.automation.list', { status: 'active' });
    expect(active.automations.map(({ id }) => id)).to.deep.equal([automationId]);
  });
});
