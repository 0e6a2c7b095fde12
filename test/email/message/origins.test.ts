import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { itNeeding } from '#test/support/products.js';
import { activeAutomation, readyToSend, signUp, subscriberOf } from '../automation/support.js';
import { draft, publish, publisher, subscribe } from '../broadcast/support.js';
import { notice, useBounces } from '../bounces/support.js';
import { send } from '../support.js';

describe('messages by origin', () => {
  const mail = useBounces();
  const { platform } = mail;

  itNeeding('audience')('are listed and counted by template and broadcast, also after they bounced', async () => {
    const account = await publisher(platform);
    const { svc } = account;
    await publish(account, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(account, ['ada@example.com', 'bob@example.com', 'eve@example.com']);
    const { broadcast } = await svc.call('email.broadcast.create', draft(account));
    const { broadcast: other } = await svc.call('email.broadcast.create', draft(account));
    await svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    await send(svc, { to: 'ada@example.com' });
    await platform.settled();
    const arrived = await mail.smtp.waitFor(4);
    const bounced = arrived.find(
      ({ recipients, parsed }) => recipients.includes('bob@example.com') && parsed.subject === 'News',
    );
    const today = platform.clock.now();
    const range = {
      since: today.toISOString().slice(0, 10),
      until: new Date(today.getTime() + 86_400_000).toISOString().slice(0, 10),
    };
    await mail.report(bounced?.envelopeFrom ?? '', notice({ finalRecipient: 'bob@example.com' }));
    for (const filter of [{ broadcastId: broadcast.id }, { template: 'news' }]) {
      const { messages } = await svc.call('email.message.list', filter);
      expect(messages.map(({ to, status }) => [to[0], status]).sort()).to.deep.equal([
        ['ada@example.com', 'sent'],
        ['bob@example.com', 'bounced'],
        ['eve@example.com', 'sent'],
      ]);
      const { total } = await svc.call('email.stats.get', { ...range, ...filter });
      expect(total).to.deep.equal({ queued: 0, sent: 2, failed: 0, suppressed: 0, bounced: 1, cancelled: 0 });
    }
    const both = { template: 'news', broadcastId: broadcast.id, status: 'bounced' } as const;
    expect((await svc.call('email.message.list', both)).messages).to.have.length(1);
    // With them the mail that tells the owners that more than 5 % of the broadcast came back.
    await platform.settled();
    expect((await svc.call('email.stats.get', range)).total).to.include({ sent: 4, bounced: 1 });
    expect((await svc.call('email.message.list', { broadcastId: other.id })).messages).to.deep.equal([]);
    expect((await svc.call('email.stats.get', { ...range, broadcastId: other.id })).total.sent).to.equal(0);
    const { svc: stranger } = await platform.account();
    for (const filter of [{ template: 'news' }, { broadcastId: broadcast.id }, { broadcastId: newId() }]) {
      expect(await stranger.refusal('email.message.list', filter)).to.include({ status: 404, code: 'not_found' });
      expect(await stranger.refusal('email.stats.get', { ...range, ...filter })).to.include({ code: 'not_found' });
    }
  });

  it('are listed by a template of system mail, before and after the first one was sent', async () => {
    const { svc } = await platform.account();
    const filter = { template: 'account.member.invite' };
    expect((await svc.call('email.message.list', filter)).messages).to.deep.equal([]);
    await svc.call('account.member.invite', { email: 'new@example.com', role: 'developer' });
    const { messages } = await svc.call('email.message.list', filter);
    expect(messages.map(({ to, system }) => [to[0], system])).to.deep.equal([['new@example.com', true]]);
  });

  itNeeding('audience')('are listed and counted by automation', async () => {
    const account = await platform.account();
    const { svc } = account;
    const step = await readyToSend(platform, account);
    const { id: automationId } = await activeAutomation(svc, { steps: [step] });
    const unused = await activeAutomation(svc, { name: 'Unused', triggerEvent: 'never' });
    await signUp(svc, await subscriberOf(svc));
    await send(svc, { to: 'ada@example.com' });
    await platform.settled();
    const today = platform.clock.now();
    const range = {
      since: today.toISOString().slice(0, 10),
      until: new Date(today.getTime() + 86_400_000).toISOString().slice(0, 10),
    };
    const listed = await svc.call('email.message.list', { automationId });
    expect(listed.messages.map((each) => [each.automationId, each.status])).to.deep.equal([[automationId, 'sent']]);
    expect((await svc.call('email.stats.get', { ...range, automationId })).total.sent).to.equal(1);
    expect((await svc.call('email.message.list', { automationId: unused.id })).messages).to.deep.equal([]);
    for (const operation of ['email.message.list', 'email.stats.get'] as const) {
      const input = { ...(operation === 'email.stats.get' ? range : {}), automationId: newId() };
      expect(await svc.refusal(operation, input)).to.include({ status: 404, code: 'not_found' });
    }
  });
});
