import type { Socket } from 'node:net';
import { expect } from 'chai';
import { apiAt, type Api } from '#test/support/api.js';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { startScriptedSmtp } from '#test/support/smtp-receiver.js';
import { send, sqlId, useMail } from '#test/email/support.js';
import { addMember, auditOf, keyOf } from './support.js';

/** As many messages of one environment as plugins/email/delivery/queue.ts submits at once. */
const perEnvironment = 12;
const reason = 'We moved to another deployment.';

const withKey = (platform: TestPlatform, key: string): Api =>
  apiAt(
    () => platform.running.address,
    () => key,
  );

describe('account.close', () => {
  const mail = useMail({ optional: true });
  const { platform } = mail;
  const inOneHour = (): string => new Date(platform.clock.now().getTime() + hours(1)).toISOString();

  it('closes the account with its reason, an event and an audit record', async () => {
    const { svc, svcTest, live, accountId } = await platform.account();
    const { activityId, result } = await svc.envelope('account.close', { reason });
    const closedAt = platform.clock.now().toISOString();
    expect(result.account).to.include({ id: accountId, closedAt, closedReason: reason });
    expect((await svcTest.call('account.get', {})).account).to.deep.equal(result.account);
    expect((await platform.events(live)).at(-1)).to.deep.equal({
      type: 'account.closed',
      subjectId: accountId,
      activityId,
      data: result,
    });
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'account.close',
      subjectId: accountId,
      accountWide: true,
      changes: [
        { field: 'closedAt', from: null, to: closedAt },
        { field: 'closedReason', from: null, to: result.account.closedReason },
      ],
    });
  });

  itNeeding('email')('stops queued mail in every environment of every project, and deletes nothing', async () => {
    const account = await platform.account();
    const { svc, svcTest, ownerEmail } = account;
    const second = await svc.call('account.project.create', { name: 'Second' });
    const environments = [
      { api: svc, to: 'a@example.com' },
      { api: svcTest, to: ownerEmail },
      { api: withKey(platform, second.keys.live?.secret ?? ''), to: 'b@example.com' },
      { api: withKey(platform, second.keys.test.secret), to: ownerEmail },
    ];
    const queued = await Promise.all(environments.map(({ api, to }) => send(api, { to, sendAfter: inOneHour() })));
    const other = await platform.account();
    const theirs = await send(other.svc, { sendAfter: inOneHour() });
    await svc.call('account.close', { reason });
    platform.clock.advance(hours(2));
    await mail.mailOf(theirs.messageId);
    await platform.settled();
    for (const [index, { api }] of environments.entries()) {
      const messageId = queued[index]?.messageId ?? '';
      expect(mail.arrivalsOf(messageId), `environment ${index}`).to.deep.equal([]);
      const { message, attempts } = await api.call('email.message.get', { messageId });
      expect([message.status, attempts.length]).to.deep.equal(['held', 0]);
      expect(await platform.count('email_queue', `id = ${sqlId(messageId)}`)).to.equal(1);
    }
  });

  itNeeding('email')('refuses sending, inviting and new projects, and still shows everything', async () => {
    const { svc, svcTest, projectId } = await platform.account();
    const { messageId } = await send(svc);
    await platform.settled();
    await svc.call('account.close', { reason });
    const refused = [
      await svc.refusal('email.send', { to: 'a@example.com', subject: 's', text: 't' }),
      await svcTest.refusal('email.send', { to: 'a@example.com', subject: 's', text: 't' }),
      await svc.refusal('account.member.invite', { email: 'a@example.com' }),
      await svc.refusal('account.project.create', { name: 'More' }),
    ];
    expect(refused.map(({ status, code }) => [status, code])).to.deep.equal(refused.map(() => [403, 'account_closed']));
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('sent');
    expect((await svc.call('account.project.list', {})).projects.map(({ id }) => id)).to.deep.equal([projectId]);
  });

  it('can be called by owners only', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'admin' });
    const admin = await keyOf(platform, account, { role: 'admin', memberId: id, environment: account.live });
    expect(await admin.refusal('account.close', { reason })).to.include({ status: 403, code: 'owner_only' });
    expect((await account.svc.call('account.get', {})).account.closedAt).to.equal(null);
  });

  it('needs a key of a live environment, because it stops what live users receive', async () => {
    const { svc, svcTest } = await platform.account();
    const refused = await svcTest.refusal('account.close', { reason });
    expect(refused).to.include({ status: 403, code: 'live_only' });
    expect(refused.fix).to.contain('account.close');
    expect((await svc.call('account.get', {})).account.closedAt).to.equal(null);
  });

  it('closes once: a repeat, and nine of ten concurrent calls, answer that it is closed', async () => {
    const { svc, live } = await platform.account();
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, n) => svc.raw('/account/close', JSON.stringify({ reason: `Reason ${n}` }))),
    );
    expect(ends.map(({ status }) => status).sort()).to.deep.equal(ends.map((_, n) => (n === 0 ? 200 : 403)));
    expect(await svc.refusal('account.close', { reason })).to.include({ status: 403, code: 'account_closed' });
    const names = (await platform.events(live)).map(({ type }) => type);
    expect(names.filter((name) => name === 'account.closed')).to.have.length(1);
  });

  it('answers a repeat with the same Idempotency-Key with the stored answer', async () => {
    const { svc } = await platform.account();
    const again = { idempotencyKey: 'close-1' };
    const first = await svc.raw('/account/close', JSON.stringify({ reason }), again);
    const second = await svc.raw('/account/close', JSON.stringify({ reason }), again);
    expect([first.status, second.status, second.text]).to.deep.equal([200, 200, first.text]);
  });

  it('does not close the operator’s account, which runs the deployment', async () => {
    const secret = platform.running.firstRun?.keys.live.secret ?? '';
    const operator = withKey(platform, secret);
    expect(await operator.refusal('account.close', { reason })).to.include({ status: 403, code: 'forbidden' });
    expect((await operator.call('account.get', {})).account.closedAt).to.equal(null);
  });

  it('requires a reason of 3 to 500 characters that is not blank', async () => {
    const { svc } = await platform.account();
    for (const input of [{}, { reason: 'no' }, { reason: 'x'.repeat(501) }, { reason: ' \n\u00a0 ' }, { reason: null }])
      expect(await svc.refusal('account.close', input)).to.deep.include({
        code: 'invalid_input',
        details: { field: 'reason' },
      });
    expect((await svc.refusal('account.close', { reason, force: true })).details).to.deep.equal({ field: 'force' });
    const { account } = await svc.call('account.close', { reason: '🦊'.repeat(500) });
    expect(account.closedReason).to.equal('🦊'.repeat(500));
  });
});

describe('account.close while mail is being sent', () => {
  needProducts('email');
  const stalled: Socket[] = [];
  const reached: string[] = [];
  const parts: { server?: Awaited<ReturnType<typeof startScriptedSmtp>>; stalls: boolean } = { stalls: true };
  const platform = usePlatform({
    async settings() {
      parts.server = await startScriptedSmtp((line, socket) => {
        if (line.startsWith('RCPT TO:')) reached.push(line);
        if (!line.startsWith('RCPT TO:') || !parts.stalls) return undefined;
        stalled.push(socket);
        return null;
      });
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${parts.server.port}` };
    },
  });
  after(() => parts.server?.close());

  it('stops messages that a worker has claimed and not started; messages in flight are finished', async () => {
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const messages = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(svc, { to: `r${n}@example.com`, sendAfter })),
    );
    platform.clock.advance(hours(1));
    const held = `partition_id = ${sqlId(live.id)} AND leased = 1`;
    await eventually(
      () => stalled.length >= perEnvironment,
      'as many messages as one environment may have are in flight',
    );
    await eventually(async () => (await platform.count('email_queue', held)) === 40, 'the others are claimed');
    const underWay = reached.length;
    await svc.call('account.close', { reason });
    parts.stalls = false;
    stalled.forEach((socket) => socket.write('250 at last\r\n'));
    await platform.settled();
    expect(reached).to.have.length(underWay);
    const statuses = await Promise.all(messages.map(({ messageId }) => svc.call('email.message.get', { messageId })));
    const sent = statuses.filter(({ message }) => message.status === 'sent');
    const waiting = statuses.filter(({ message }) => message.status === 'held');
    expect([sent.length, waiting.length]).to.deep.equal([underWay, 40 - underWay]);
    await svc.call('account.reopen', {});
    await platform.settled();
    expect(new Set(reached).size, 'everybody once').to.equal(40);
    expect(reached).to.have.length(40);
  });
});
