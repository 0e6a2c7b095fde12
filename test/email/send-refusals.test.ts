import { expect } from 'chai';
import { addMember } from '#test/account/support.js';
import { letter, send, sqlId, traces, useMail } from './support.js';

describe('email.send: refusals and blocked recipients', () => {
  const mail = useMail();
  const { platform } = mail;

  it('sends from a test environment only to active members of the account, at verified addresses', async () => {
    const account = await platform.account();
    const other = await platform.account();
    const { svcTest, ownerEmail } = account;
    const colleague = await addMember(platform, account, { role: 'viewer' });
    const invited = await addMember(platform, account, { role: 'viewer', status: 'invited' });
    const removed = await addMember(platform, account, { role: 'viewer', status: 'removed' });
    const unproven = await addMember(platform, account, { role: 'viewer', provenAt: null });
    const strangers = [invited.email, removed.email, unproven.email, other.ownerEmail, 'stranger@example.com'];
    const sent = await send(svcTest, {
      to: [ownerEmail.toUpperCase(), ...strangers],
      cc: [colleague.email],
      bcc: ['b@example.com'],
    });
    expect(sent).to.deep.include({ status: 'queued', blocked: null });
    expect(sent.suppressedRecipients).to.deep.equal([...strangers, 'b@example.com']);
    const { recipients } = await mail.mailOf(sent.messageId);
    expect(recipients.map((each) => each.toLowerCase())).to.have.members([ownerEmail, colleague.email]);
    expect(recipients).to.have.length(2);
  });

  it('stores a test environment’s mail to others as suppressed, and says why', async () => {
    const { svcTest, test } = await platform.account();
    const { activityId, result } = await svcTest.envelope('email.send', letter({ to: 'stranger@example.com' }));
    expect(result).to.include({ status: 'suppressed' });
    expect(result.blocked?.reason).to.equal('test_environment');
    expect(result.blocked?.fix).to.be.a('string').and.not.equal('');
    expect(activityId).to.match(/^[0-9a-f-]{36}$/);
    const events = await platform.events(test);
    expect(events.map(({ type }) => type).filter((type) => type.startsWith('email.'))).to.deep.equal([
      'email.suppressed',
    ]);
    await platform.settled();
    expect(mail.arrivalsOf(result.messageId)).to.deep.equal([]);
    expect(await platform.count('email_queue', `id = ${sqlId(result.messageId)}`)).to.equal(0);
    expect((await svcTest.call('email.message.get', { messageId: result.messageId })).message.status).to.equal(
      'suppressed',
    );
  });

  it('sends from a live environment to any address', async () => {
    const { svc } = await platform.account({ proven: false });
    const sent = await send(svc, { to: 'stranger@example.com' });
    expect((await mail.mailOf(sent.messageId)).recipients).to.deep.equal(['stranger@example.com']);
  });

  it('refuses every message once the account is closed, before it validates it', async () => {
    const { svc, svcTest, live } = await platform.account();
    await svc.call('account.close', { reason: 'We moved.' });
    const before = await traces(platform, live.id);
    for (const [api, input] of [
      [svc, letter()],
      [svcTest, letter()],
      [svc, letter({ from: 'eve@example.com' })],
    ] as const)
      expect(await api.refusal('email.send', input)).to.include({ status: 403, code: 'account_closed' });
    expect(await traces(platform, live.id)).to.deep.equal(before);
  });

  it('needs a key with the permission to send', async () => {
    const { keys, svc } = await platform.account();
    expect(await platform.api.refusal('email.send', letter())).to.include({ status: 401, code: 'unauthenticated' });
    const publishable = await svc.refusal('email.send', letter(), { key: keys.live.publishable });
    expect(publishable).to.include({ status: 403, code: 'secret_key_required' });
  });

  it('stores nothing of a refused call, not even its Idempotency-Key', async () => {
    const { svc, live } = await platform.account();
    const before = await traces(platform, live.id);
    const again = { idempotencyKey: 'order-1' };
    const refusals = [
      letter({ from: 'eve@example.com' }),
      letter({ text: '{{ missing }}' }),
      letter({ subject: '{{' }),
      letter({ headers: { Bcc: 'eve@example.com' } }),
      letter({ sendAfter: '2999-01-01T00:00:00Z' }),
    ];
    for (const input of refusals) expect((await svc.refusal('email.send', input, again)).status).to.be.within(400, 403);
    expect(await traces(platform, live.id)).to.deep.equal(before);
    const first = await svc.raw('/email/send', JSON.stringify(letter()), again);
    const second = await svc.raw('/email/send', JSON.stringify(letter()), again);
    expect([first.status, second.text]).to.deep.equal([200, first.text]);
    expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
    await platform.settled();
    expect(await platform.count('email_message', `environment_id = ${sqlId(live.id)}`)).to.equal(1);
  });
});
