import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { exampleOrgMember, exampleSession } from '#plugins/auth/examples.js';
import { concurrently, contactOf, topicOf } from '#test/audience/support.js';
import { addedIdentity, signedIn, userOf } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
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

describe('Enrolment by a recorded event', () => {
  const platform = usePlatform();

  it('happens in the call that records it, for every automation that the event triggers', async () => {
    const { svc, svcTest } = await platform.account();
    const [a, b] = [await activeAutomation(svc), await activeAutomation(svc)];
    await activeAutomation(svc, { triggerEvent: 'login' });
    await activeAutomation(svcTest);
    const { id } = await contactOf(svc);
    expect((await signUp(svc, id)).sort()).to.deep.equal([a.id, b.id].sort());
    expect(await signUp(svc, id)).to.deep.equal([]);
    expect(await runsOf(svcTest)).to.deep.equal([]);
  });

  it('enrols a contact again only with reenter', async () => {
    const { svc } = await platform.account();
    const steps = [setProperty('a', 1)];
    const { id: automationId } = await activeAutomation(svc, { steps, reenter: true });
    const { id } = await contactOf(svc);
    for (let times = 0; times < 2; times += 1) {
      expect(await signUp(svc, id)).to.deep.equal([automationId]);
      await platform.settled();
    }
    // A contact that was enrolled before is not enrolled again once reenter is off.
    await svc.call('email.automation.update', { automationId, reenter: false });
    expect(await signUp(svc, id)).to.deep.equal([]);
    expect(await runsOf(svc, { status: 'completed' })).to.have.length(2);
  });

  it('enrols once for twenty events at the same time, on two nodes', async () => {
    const { svc, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const { id: automationId } = await activeAutomation(svc);
    const { id } = await contactOf(svc);
    const enrolled = await concurrently((index) => signUp(index % 2 ? svc : other, id));
    expect(enrolled.flat()).to.deep.equal([automationId]);
    expect(await runsOf(svc)).to.have.length(1);
  });

  it('asks the filter about the event, the contact and its consents', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const filters = {
      event: { field: 'context.order.total', op: 'gt' as const, value: 100 },
      property: { field: 'properties.plan', op: 'eq' as const, value: 'pro' },
      consent: { field: 'consent.news', op: 'eq' as const, value: true },
      missing: { field: 'consent.sms.news', op: 'exists' as const },
    };
    const names = new Map<string, string>();
    for (const [name, triggerFilter] of Object.entries(filters))
      names.set((await activeAutomation(svc, { triggerFilter })).id, name);
    const { id } = await contactOf(svc, { email: 'ada@example.com', properties: { plan: 'pro' } });
    await svc.call('audience.consent.grant', { contactId: id, topic: 'news', channel: 'email', source: 'test' });
    const enrolled = await signUp(svc, id, { order: { total: 150 } });
    expect(enrolled.map((each) => names.get(each)).sort()).to.deep.equal(['consent', 'event', 'property']);
    const { id: bob } = await contactOf(svc, { email: 'bob@example.com' });
    expect(await signUp(svc, bob, { order: { total: 99 } })).to.deep.equal([]);
  });
});

/** Stands in for the product auth: users whose addresses may be contacts'. */
describe('Enrolment by an event of svc', () => {
  const platform = usePlatform();

  it('enrols the contact that the event is about', async () => {
    const { svc } = await platform.account();
    const created = await activeAutomation(svc, { triggerEvent: 'audience.contact.created' });
    const pro = { field: 'context.contact.properties.plan', op: 'eq' as const, value: 'pro' };
    const filtered = await activeAutomation(svc, { triggerEvent: 'audience.contact.created', triggerFilter: pro });
    const { id } = await contactOf(svc);
    const { id: bob } = await contactOf(svc, { email: 'bob@example.com', properties: { plan: 'pro' } });
    await platform.settled();
    expect((await runsOf(svc, { automationId: created.id })).map(({ contactId }) => contactId)).to.deep.equal([
      id,
      bob,
    ]);
    const [run] = await runsOf(svc, { automationId: filtered.id });
    expect(run).to.deep.include({ contactId: bob, status: 'waiting' });
    expect(run?.context).to.have.nested.property('contact.email', 'bob@example.com');
  });

  it('enrols the contact that has the verified address of a user', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await activeAutomation(svc, { triggerEvent: 'auth.user.created' });
    const { id } = await contactOf(svc);
    await contactOf(svc, { email: 'bob@example.com' });
    await svc.call('auth.user.create', { email: 'Ada@example.com', emailVerified: true });
    await svc.call('auth.user.create', { email: 'bob@example.com' });
    await svc.call('auth.user.create', { email: 'nobody@example.com', emailVerified: true });
    await platform.settled();
    expect((await runsOf(svc, { automationId })).map(({ contactId }) => contactId)).to.deep.equal([id]);
  });

  it('enrols the contact of a user whom an event of auth names only inside: sign-ins, sessions, factors, organizations', async () => {
    const { svc, live, keys } = await platform.account();
    const triggers = ['auth.signin.completed', 'auth.session.signed_out', 'auth.mfa.failed', 'auth.org.joined'];
    const automations = await Promise.all(
      triggers.map((triggerEvent) => activeAutomation(svc, { triggerEvent, steps: [wait(3_600)] })),
    );
    const contact = await contactOf(svc, { email: 'grace@example.com' });
    await contactOf(svc, { email: 'unproven@example.com' });
    const userId = await userOf(platform, live, 'grace@example.com');
    const { userId: other } = await signedIn(platform, live, { email: 'other@example.com' });
    await addedIdentity(platform, live, other, { email: 'unproven@example.com', verified: false });
    const emitAll = (user: string): Promise<void> =>
      platform.running.services.transaction('Test', async ({ emit, actIn }) => {
        actIn(live);
        const about = { subjectId: user, personId: user };
        const session = { ...exampleSession, userId: user };
        emit('auth.signin.completed', { ...about, data: { session } });
        emit('auth.session.signed_out', { ...about, data: { session } });
        emit('auth.mfa.failed', { ...about, data: { userId: user, reason: 'wrong_code' } });
        const member = { ...exampleOrgMember, userId: user };
        emit('auth.org.joined', { ...about, data: { organizationId: newId(), member } });
      });
    await emitAll(userId);
    await emitAll(other);
    await svc.call('auth.signin.start', { email: 'grace@example.com' }, { key: keys.live.publishable });
    await platform.settled();
    for (const { id: automationId } of automations)
      expect((await runsOf(svc, { automationId })).map(({ contactId }) => contactId)).to.deep.equal([contact.id]);
  });

  it('prefers the primary address, and takes another proven one that a contact has', async () => {
    const { svc, live } = await platform.account();
    const { id: automationId } = await activeAutomation(svc, { triggerEvent: 'auth.signin.completed', reenter: true });
    const second = await contactOf(svc, { email: 'second@example.com' });
    const user = await signedIn(platform, live, { email: 'first@example.com' });
    await addedIdentity(platform, live, user.userId, { email: 'second@example.com' });
    const signIn = async (): Promise<void> => {
      await platform.running.services.transaction('Test', async ({ emit, actIn }) => {
        actIn(live);
        const data = { session: { ...exampleSession, userId: user.userId } };
        emit('auth.signin.completed', { subjectId: user.sessionId, personId: user.userId, data });
      });
      await platform.settled();
    };
    const enrolled = async (): Promise<string[]> =>
      (await runsOf(svc, { automationId })).map(({ contactId }) => contactId);
    await signIn();
    expect((await enrolled()).at(-1)).to.equal(second.id);
    const first = await contactOf(svc, { email: 'first@example.com' });
    await signIn();
    expect((await enrolled()).at(-1)).to.equal(first.id);
  });

  it('cannot be triggered by events of auth that are about no user', async () => {
    const { svc } = await platform.account();
    for (const triggerEvent of ['auth.signin.started', 'auth.settings.changed', 'auth.org.updated']) {
      const input = { name: 'Welcome', triggerEvent, steps: [wait(60)] };
      const { readiness } = await svc.call('email.automation.create', input);
      expect(
        readiness.problems.map(({ code }) => code),
        triggerEvent,
      ).to.include('trigger_without_contact');
    }
  });

  it('enrols the contact of a message', async () => {
    const { svc } = await platform.account();
    const sent = await activeAutomation(svc, { triggerEvent: 'email.queued' });
    const { id } = await contactOf(svc);
    await svc.call('email.send', { to: 'ada@example.com', subject: 'Hi', text: 'Hi' });
    await svc.call('email.send', { to: 'nobody@example.com', subject: 'Hi', text: 'Hi' });
    await platform.settled();
    expect((await runsOf(svc, { automationId: sent.id })).map(({ contactId }) => contactId)).to.deep.equal([id]);
  });

  it('does not go in circles: one call enrols a contact in an automation once', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const one = await activeAutomation(svc, { triggerEvent: 'email.queued', steps: [send], reenter: true });
    const two = await activeAutomation(svc, { triggerEvent: 'email.automation.sent', steps: [send], reenter: true });
    const flag = branch(
      { field: 'properties.on', op: 'eq', value: true },
      [setProperty('on', false)],
      [setProperty('on', true)],
    );
    const three = await activeAutomation(svc, {
      triggerEvent: 'audience.contact.updated',
      steps: [flag],
      reenter: true,
    });
    const id = await subscriberOf(svc);
    for (let calls = 1; calls <= 2; calls += 1) {
      await svc.call('email.send', { to: 'ada@example.com', subject: 'Hi', text: 'Hi' });
      await svc.call('audience.contact.update', { contactId: id, firstName: `Ada ${calls}` });
      await platform.settled();
      for (const { id: automationId } of [one, two, three])
        expect(await runsOf(svc, { automationId, status: 'completed' })).to.have.length(calls);
    }
  });
});

describe('A run and the erasure of its contact', () => {
  const platform = usePlatform();

  it('ends, and keeps nothing of the event that started it', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    await storeTemplate(svc, 'welcome', { text: 'Secret {{ context.note }}' });
    const { id } = await activeAutomation(svc, { steps: [send, wait(60), send] });
    const contactId = await subscriberOf(svc);
    await signUp(svc, contactId, { note: 'Lovelace' });
    await platform.settled();
    await svc.call('audience.contact.delete', { contactId });
    await platform.settled();
    platform.clock.advance(minutes(2));
    await platform.settled();
    const { run, history } = await runOf(svc, id);
    expect(run).to.deep.include({ status: 'cancelled', endReason: 'contact_erased', context: {} });
    expect(history.map(({ outcome }) => outcome)).to.deep.equal(['sent']);
    for (const [table, column] of [
      ['email_automation_run', 'context'],
      ['svc_event', 'data'],
    ] as const)
      expect(await platform.count(table, `${column} LIKE '%Lovelace%'`), table).to.equal(0);
    expect(await platform.count('email_automation_enrolment')).to.equal(0);
    expect(linesOf(await runOf(svc, id))).to.deep.equal(['steps[0] send sent']);
  });
});
