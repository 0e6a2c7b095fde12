import { expect } from 'chai';
import { contactOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';
import {
  activeAutomation,
  automationOf,
  branch,
  readyToSend,
  runOf,
  setProperty,
  signUp,
  subscriberOf,
  wait,
} from './support.js';

describe('email.automation.get, before and while runs take steps', () => {
  const platform = usePlatform();

  it('tries the automation with a contact: the way, the times and the mails, and nothing is sent or changed', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const isPro = { field: 'properties.plan', op: 'eq', value: 'pro' };
    const { id: automationId } = await automationOf(svc, {
      triggerFilter: { field: 'context.country', op: 'eq', value: 'DE' },
      steps: [
        { ...send, subject: 'Hello from {{ context.country }}' },
        wait(2 * 86_400),
        branch(isPro, [setProperty('late', true)], [setProperty('plan', 'pro')]),
        branch(isPro, [setProperty('onboarded', true)]),
      ],
    });
    const contactId = await subscriberOf(svc);
    const tryWith = { contactId, context: { country: 'DE' } };
    const { trial } = await svc.call('email.automation.get', { automationId, tryWith });
    expect(trial?.enrolled).to.equal(true);
    expect(trial?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).to.deep.equal([
      'steps[0] sent',
      'steps[1] waited',
      'steps[2] else',
      'steps[2].else[0] set',
      'steps[3] then',
      'steps[3].then[0] set',
    ]);
    const [first, second] = trial?.steps ?? [];
    expect(first?.message).to.include({ to: 'ada@example.com', subject: 'Hello from DE' });
    expect(Date.parse(second?.at ?? '') - Date.parse(first?.at ?? '')).to.equal(2 * 86_400_000);
    expect((await svc.call('email.message.list', {})).messages).to.deep.equal([]);
    expect((await svc.call('audience.contact.get', { contactId })).contact.properties).to.deep.equal({});

    const elsewhere = await svc.call('email.automation.get', { automationId, tryWith: { contactId } });
    expect(elsewhere.trial?.enrolled).to.equal(false);
    const { id: stranger } = await contactOf(svc, { email: 'eve@example.com' });
    const blocked = await svc.call('email.automation.get', { automationId, tryWith: { contactId: stranger } });
    expect(blocked.trial?.steps[0]).to.deep.include({ outcome: 'suppressed', reason: 'no_consent', message: null });
    const { svc: other } = await platform.account();
    const { id: theirs } = await contactOf(other, { email: 'eve@example.com' });
    const refused = await svc.refusal('email.automation.get', { automationId, tryWith: { contactId: theirs } });
    expect(refused).to.include({ status: 404, code: 'not_found' });
  });

  it('says where runs go on after an edit, and tries steps that are not saved', async () => {
    const { svc } = await platform.account();
    const { id: automationId } = await automationOf(svc, { steps: [wait(60), setProperty('a', 1), wait(120)] });
    const contactId = (await contactOf(svc)).id;
    const steps = [setProperty('a', 1), wait(120), setProperty('b', 2)];
    const { moves, trial, automation } = await svc.call('email.automation.get', {
      automationId,
      steps,
      tryWith: { contactId },
    });
    expect(moves).to.deep.equal({ 'steps[0]': null, 'steps[1]': 'steps[0]', 'steps[2]': 'steps[1]' });
    expect(trial?.steps.map(({ step }) => step)).to.deep.equal(['steps[0]', 'steps[1]', 'steps[2]']);
    expect(automation.steps[0]).to.deep.include({ type: 'wait', seconds: 60 });
    const broken = await svc.refusal('email.automation.get', { automationId, steps: [wait(0)] });
    expect(broken).to.deep.include({ code: 'invalid_input', details: { field: 'steps[0].seconds' } });
  });

  it('counts what happened at each step', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const isPro = { field: 'context.plan', op: 'eq', value: 'pro' };
    const { id: automationId } = await activeAutomation(svc, {
      steps: [send, branch(isPro, [wait(60)], []), setProperty('done', true)],
    });
    await signUp(svc, await subscriberOf(svc), { plan: 'pro' });
    await platform.settled();
    expect((await runOf(svc, automationId)).run.position).to.equal('steps[1].then[0]');
    await signUp(svc, (await contactOf(svc, { email: 'eve@example.com' })).id, { plan: 'free' });
    await platform.settled();
    const { figures } = await svc.call('email.automation.get', { automationId, figures: true });
    const none = { entered: 0, here: 0, sent: 0, blocked: 0, then: 0, else: 0, left: 0 };
    expect(figures).to.deep.equal({
      runs: 2,
      steps: {
        'steps[0]': { ...none, entered: 2, sent: 1, blocked: 1 },
        'steps[1]': { ...none, entered: 2, then: 1, else: 1 },
        'steps[1].then[0]': { ...none, entered: 1, here: 1 },
        'steps[2]': { ...none, entered: 1 },
      },
    });
    const { runs } = await svc.call('email.automation.run.list', { automationId, status: 'waiting' });
    expect(runs[0]?.contact).to.include({ email: 'ada@example.com', firstName: null });
    await svc.call('email.automation.run.cancel', { runId: runs[0]?.id ?? '' });

    const after = await svc.call('email.automation.get', { automationId, figures: true });
    expect(after.figures?.steps['steps[1].then[0]']).to.deep.equal({ ...none, entered: 1, left: 1 });
    expect((await svc.call('email.automation.get', { automationId })).figures).to.equal(null);
  });

  it('names the fields that cause each problem', async () => {
    const { svc } = await platform.account();
    const send = { type: 'send', template: 'absent', topic: 'nowhere', from: 'a@nowhere.example.com' };
    const { id: automationId } = await automationOf(svc, {
      triggerFilter: { field: 'consent.unknown', op: 'eq', value: true },
      steps: [send, branch({ field: 'consent.unknown', op: 'eq', value: true }, [send])],
    });
    const { readiness } = await svc.call('email.automation.get', { automationId });
    const fields = Object.fromEntries(
      readiness.problems.map(({ code, message, fields: at }) => [`${code} ${message}`, at]),
    );
    const at = (field: string): string[] => [`steps[0].${field}`, `steps[1].then[0].${field}`];
    expect(Object.values(fields)).to.deep.include(at('template'));
    expect(Object.values(fields)).to.deep.include(at('topic'));
    expect(Object.values(fields)).to.deep.include(at('from'));
    expect(Object.values(fields)).to.deep.include(['triggerFilter.field', 'steps[1].if.field']);
  });
});
