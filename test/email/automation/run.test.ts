import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { days, minutes } from '#test/support/clock.js';
import { contactOf, eventsOf } from '#test/audience/support.js';
import {
  activeAutomation,
  branch,
  linesOf,
  readyToSend,
  runOf,
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
    await storeTemplate(svc, 'welcome', { text: '{{ city }}' });
    await contactOf(svc, { email: 'bob@example.com', properties: { city: 'Bern' } });
    const { id } = await activeAutomation(svc, { steps: [send, setProperty('seen', true)] });
    await signUp(svc, await subscriberOf(svc));
    await platform.settled();
    const run = await runOf(svc, id);
    expect(linesOf(run)).to.deep.equal(['steps[0] send failed missing_variables']);
    expect(run.run).to.include({ status: 'failed', endReason: 'missing_variables', position: 'steps[0]' });
  });
});
