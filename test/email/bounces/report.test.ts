import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { erasure } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import { returnPath } from '#plugins/email/bounces/return-path.js';
import type { TestAccount } from '#test/support/platform.js';
import { hours, minutes } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { searchDatabase } from '#test/support/search-database.js';
import { send } from '../support.js';
import { complaint, notice, useBounces } from './support.js';

describe('bounces', () => {
  const mail = useBounces();
  const { platform } = mail;

  const suppressed = async ({ svc }: TestAccount, email = 'ada@example.com'): Promise<[string, string | null][]> =>
    (await svc.call('audience.suppression.list', { email })).suppressions.map(({ reason, note }) => [reason, note]);
  const bouncedEvents = async ({ live }: TestAccount) =>
    (await platform.events(live)).filter(({ type }) => type === 'email.bounced');

  itNeeding('audience')('mark the message, emit email.bounced and suppress the address', async () => {
    const account = await platform.account();
    const { messageId, returnPaths, shown } = await mail.sent(account);
    platform.clock.advance(minutes(3));
    expect(await mail.report(returnPaths[0] ?? '', notice())).to.equal('recorded');
    const { message, recipients, timeline } = await shown();
    const now = platform.clock.now().toISOString();
    const bounce = {
      kind: 'hard',
      code: '5.1.1',
      detail: '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown',
    };
    expect(message).to.deep.include({ status: 'bounced', bouncedAt: now, bounce, deliveredAt: null });
    expect(message.sentAt).to.equal(message.createdAt);
    expect(recipients[0]).to.deep.include({ status: 'bounced', bouncedAt: now, bounce, complainedAt: null });
    expect(timeline.map(({ status }) => status)).to.deep.equal(['queued', 'sent', 'bounced']);
    const [event, ...others] = await bouncedEvents(account);
    expect(others).to.deep.equal([]);
    expect(event?.data).to.deep.equal({ message, recipient: 'ada@example.com' });
    expect(event?.activityId).to.be.a('string');
    expect(await suppressed(account)).to.deep.equal([['bounce', bounce.detail]]);
    expect(await send(account.svc)).to.include({ status: 'suppressed' });
    expect((await account.svc.call('email.message.list', { status: 'bounced' })).messages[0]).to.include({ messageId });
  });

  itNeeding('audience')('count once, however often they are reported', async () => {
    const account = await platform.account();
    const { returnPaths } = await mail.sent(account);
    const path = returnPaths[0] ?? '';
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => mail.report(path, notice())));
    expect(outcomes.sort()).to.deep.equal([...Array.from({ length: 7 }, () => 'repeated'), 'recorded'].sort());
    expect(await bouncedEvents(account)).to.have.length(1);
    const { suppressions } = await account.svc.call('audience.suppression.list', {});
    await account.svc.call('audience.suppression.lift', { suppressionId: suppressions[0]?.id ?? '' });
    expect(await mail.report(path, notice())).to.equal('repeated');
    expect((await suppressed(account)).length).to.equal(1);
    expect(await send(account.svc)).to.include({ status: 'queued' });
  });

  it('speak only for the address that the message was sent to', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account, ['ada@example.com', 'bob@example.com']);
    const [adas = '', bobs = ''] = returnPaths;
    const about = (address: string) => notice({ finalRecipient: address });
    expect(await mail.report(adas, notice({ finalRecipient: null }))).to.equal('ignored');
    expect(await mail.report(adas.replace('bounce+', 'bounce+0'), about('ada@example.com'))).to.equal('ignored');
    const forged = returnPath({ digest: () => Buffer.alloc(32) }, { messageId: newId(), position: 0 }, 'x.example');
    expect(await mail.report(forged, notice())).to.equal('ignored');
    expect(await mail.report(account.ownerEmail, notice())).to.equal('ignored');
    expect((await shown()).message.status).to.equal('sent');
    expect(await mail.report(bobs, about('Bob@EXAMPLE.com'))).to.equal('recorded');
  });

  it('are found by the original recipient if the receiving server renamed it', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const renamed = notice({ finalRecipient: 'ada@internal.example.com', originalRecipient: 'ada@example.com' });
    expect(await mail.report(returnPaths[0] ?? '', renamed)).to.equal('recorded');
    expect((await shown()).message.status).to.equal('bounced');
  });

  it('leave a message sent while it reached somebody, and show who it did not reach', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account, ['ada@example.com', 'bob@example.com']);
    await mail.report(returnPaths[1] ?? '', notice({ finalRecipient: 'bob@example.com', diagnostic: null }));
    const partly = await shown();
    expect(partly.message).to.deep.include({
      status: 'sent',
      bounce: { kind: 'hard', code: '5.1.1', detail: 'No reason was given.' },
    });
    expect(partly.recipients.map(({ status }) => status)).to.deep.equal(['sent', 'bounced']);
    platform.clock.advance(minutes(1));
    await mail.report(returnPaths[0] ?? '', notice());
    const whole = await shown();
    expect(whole.message).to.deep.include({ status: 'bounced', bouncedAt: partly.message.bouncedAt });
    const events = await bouncedEvents(account);
    expect(events.map(({ data }) => data['recipient'])).to.deep.equal(['bob@example.com', 'ada@example.com']);
  });

  it('leave a message bounced if the recipients that were open did not get it either', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const bob = { code: 451, message: '4.3.0 try later' };
    mail.smtp.onRecipient = (address) => (address === 'bob@example.com' ? bob : null);
    const { messageId } = await send(svc, { to: ['ada@example.com', 'bob@example.com'] });
    await platform.settled();
    const sentAt = platform.clock.now().toISOString();
    const path = returnPath(platform.running.services.vault, { messageId, position: 0 }, 'returns.example.net');
    expect(await mail.report(path, notice())).to.equal('recorded');
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('queued');
    Object.assign(bob, { code: 550, message: '5.7.1 no' });
    platform.clock.advance(minutes(1));
    await platform.settled();
    mail.smtp.onRecipient = () => null;
    const { message, recipients } = await svc.call('email.message.get', { messageId });
    expect(recipients.map(({ status }) => status)).to.deep.equal(['bounced', 'failed']);
    expect(message).to.deep.include({ status: 'bounced', sentAt });
    expect(message.bounce).to.include({ code: '5.1.1' });
    const types = (await platform.events(live)).map(({ type }) => type).filter((type) => type.startsWith('email.'));
    expect(types).to.deep.equal(['email.queued', 'email.bounced', 'email.sent']);
    expect((await svc.call('email.message.list', { status: 'bounced' })).messages).to.have.length(1);
    expect((await svc.call('email.message.list', { status: 'sent' })).messages).to.deep.equal([]);
    const day = (ms: number): string => new Date(platform.clock.now().getTime() + ms).toISOString().slice(0, 10);
    const { total } = await svc.call('email.stats.get', { since: day(0), until: day(hours(24)) });
    expect(total).to.deep.include({ queued: 0, sent: 0, bounced: 1 });
  });

  it('are soft where the code says nothing against the address', async () => {
    const cases: [status: string | null, diagnostic: string | null, kind: string][] = [
      ['5.1.1', 'smtp; 550 no such user', 'hard'],
      ['5.1.10', 'smtp; 550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'hard'],
      ['5.4.4', 'X-Postfix; Host or domain name not found', 'hard'],
      ['5.0.0', 'smtp; 550 No such user here', 'hard'],
      ['5.0.0', null, 'soft'],
      ['5.0.0', 'smtp; 550 Message rejected as spam by content filtering', 'soft'],
      ['5.0.0', 'smtp; 550 Mailbox full', 'soft'],
      ['5.0.0', 'smtp; 550 Blocked - see https://www.spamhaus.org/query/ip/192.0.2.7', 'soft'],
      ['5.0.0', 'smtp; 550 sender verify failed', 'soft'],
      ['5.0.0', 'smtp; 550 Requested action not taken: mailbox unavailable', 'hard'],
      ['5.0.0', 'smtp; 550 The account ada@example.com is disabled', 'hard'],
      [null, 'smtp; 551 User not local', 'hard'],
      ['5.2.2', 'smtp; 552 5.2.2 Mailbox full', 'soft'],
      ['5.7.1', 'smtp; 550 5.7.1 Blocked for spam', 'soft'],
      ['5.7.26', 'smtp; 550-5.7.26 Unauthenticated email is not accepted due to DMARC', 'soft'],
      ['5.3.4', 'smtp; 552 5.3.4 Message too big', 'soft'],
      ['5.0.0', 'smtp; 550 5.7.1 Refused by policy', 'soft'],
      ['4.4.7', 'smtp; 451 4.4.1 gave up after five days', 'soft'],
      ['5.4.1', 'smtp; 550 5.4.1 Recipient address rejected: Access denied', 'hard'],
      ['5.4.1', 'smtp; 550 5.4.1 No answer from host', 'soft'],
      ['5.4.3', null, 'soft'],
      ['5.4.14', 'smtp; 554 5.4.14 Hop count exceeded - possible mail loop', 'soft'],
      ['5.4.300', 'smtp; 550 5.4.300 Message expired -> 421 4.2.1 Unable to connect', 'soft'],
      ['5.4.316', 'smtp; 550 5.4.316 Message expired, connection refused', 'soft'],
      ['5.2.121', 'smtp; 550 5.2.121 The mailbox gets too much mail', 'soft'],
      ['5.2.122', 'smtp; 554 5.2.122 The limit for receiving was exceeded', 'soft'],
      ['5.0.0', 'smtp; 550 Message expired after four days', 'soft'],
      ['5.0.0', 'x-unix; host 5.1.1.20 did not answer: connection timed out', 'soft'],
      [null, null, 'soft'],
    ];
    const account = await platform.account();
    const found: typeof cases = [];
    for (const [index, [status, diagnostic]] of cases.entries()) {
      const address = `case${index}@example.com`;
      const { returnPaths, shown } = await mail.sent(account, address);
      await mail.report(returnPaths[0] ?? '', notice({ finalRecipient: address, status, diagnostic }));
      found.push([status, diagnostic, (await shown()).message.bounce?.kind ?? 'none']);
    }
    expect(found).to.deep.equal(cases);
  });

  itNeeding('audience')('become hard with the fifth soft one within seven days', async () => {
    const account = await platform.account();
    const soft = notice({ status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Mailbox full' });
    const kinds: (string | undefined)[] = [];
    for (const pause of [0, 24, 24, 24, 24 * 5, 24, 0]) {
      platform.clock.advance(hours(pause));
      const { returnPaths, shown } = await mail.sent(account);
      await mail.report(returnPaths[0] ?? '', soft);
      kinds.push((await shown()).message.bounce?.kind);
      expect(await suppressed(account)).to.deep.equal([]);
    }
    // Of the first four, three were seven days or more before the last one.
    expect(new Set(kinds)).to.deep.equal(new Set(['soft']));
    const { returnPaths, shown } = await mail.sent(account);
    await mail.report(returnPaths[0] ?? '', soft);
    expect((await shown()).message.bounce?.kind).to.equal('hard');
    expect(await suppressed(account)).to.deep.equal([
      ['bounce', 'Five soft bounces within seven days, the last one: 552 5.2.2 Mailbox full'],
    ]);
  });

  itNeeding('audience')('become hard with the eighth soft one of weekly mail', async () => {
    const account = await platform.account();
    const soft = notice({ status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Mailbox full' });
    for (let week = 1; week <= 8; week += 1) {
      expect(await suppressed(account)).to.deep.equal([]);
      platform.clock.advance(hours(24 * 7));
      const { returnPaths } = await mail.sent(account);
      await mail.report(returnPaths[0] ?? '', soft);
    }
    expect(await suppressed(account)).to.deep.equal([
      ['bounce', 'Eight soft bounces within six months, the last one: 552 5.2.2 Mailbox full'],
    ]);
  });

  itNeeding('audience')('do not become hard if they are about the sender', async () => {
    const account = await platform.account();
    const refused = notice({ status: '5.7.26', diagnostic: 'smtp; 550 5.7.26 Refused because of DMARC' });
    for (let count = 0; count < 6; count += 1) {
      const { returnPaths } = await mail.sent(account);
      await mail.report(returnPaths[0] ?? '', refused);
    }
    expect(await suppressed(account)).to.deep.equal([]);
  });

  itNeeding('audience')('are not hidden by those of a time when the clock was ahead', async () => {
    const account = await platform.account();
    const soft = notice({ status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Mailbox full' });
    const report = async (): Promise<void> => {
      const { returnPaths } = await mail.sent(account);
      await mail.report(returnPaths[0] ?? '', soft);
    };
    platform.clock.advance(hours(24 * 40));
    await report();
    platform.clock.advance(-hours(24 * 40));
    for (let count = 0; count < 4; count += 1) await report();
    expect(await suppressed(account)).to.deep.equal([]);
    await report();
    expect((await suppressed(account)).map(([reason]) => reason)).to.deep.equal(['bounce']);
  });

  itNeeding('audience')('of five messages at once are five, under any number of racers', async () => {
    const account = await platform.account();
    const soft = notice({ status: '4.2.2', diagnostic: 'smtp; 452 4.2.2 Mailbox full' });
    const sent = await Promise.all(Array.from({ length: 5 }, () => mail.sent(account)));
    await Promise.all(sent.map(({ returnPaths }) => mail.report(returnPaths[0] ?? '', soft)));
    const kinds = await Promise.all(sent.map(async ({ shown }) => (await shown()).message.bounce?.kind));
    expect(kinds.sort()).to.deep.equal(['hard', 'soft', 'soft', 'soft', 'soft']);
    expect(await suppressed(account)).to.have.length(1);
  });

  itNeeding('audience')('that were soft first and hard later are hard', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const [path = ''] = returnPaths;
    await mail.report(path, notice({ status: '4.4.7', diagnostic: null }));
    expect((await shown()).message.bounce?.kind).to.equal('soft');
    expect(await mail.report(path, notice())).to.equal('recorded');
    expect((await shown()).message.bounce).to.include({ kind: 'hard', code: '5.1.1' });
    expect(await mail.report(path, notice({ status: '4.4.7' }))).to.equal('repeated');
    expect(await suppressed(account)).to.have.length(1);
  });

  it('are not what is only delayed, delivered or relayed', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    for (const action of ['delayed', 'delivered', 'relayed', 'expanded', null])
      expect(await mail.report(returnPaths[0] ?? '', notice({ action, status: '4.4.1' }))).to.equal('ignored');
    expect((await shown()).message).to.include({ status: 'sent', deliveredAt: null, bouncedAt: null });
  });

  it('of a message that is still being sent must come again', async () => {
    const account = await platform.account();
    mail.smtp.onMessage = () => ({ code: 451, message: '4.3.0 try later' });
    const { messageId } = await send(account.svc);
    await platform.settled();
    mail.smtp.onMessage = () => null;
    const path = returnPath(platform.running.services.vault, { messageId, position: 0 }, 'returns.example.net');
    expect(await mail.report(path, notice())).to.equal('early');
    platform.clock.advance(minutes(1));
    await platform.settled();
    expect(await mail.report(path, notice())).to.equal('recorded');
  });

  it('of what was never sent count for nothing', async () => {
    const account = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { messageId } = await send(account.svc, { sendAfter });
    await account.svc.call('email.message.cancel', { messageId });
    const path = returnPath(platform.running.services.vault, { messageId, position: 0 }, 'returns.example.net');
    expect(await mail.report(path, notice())).to.equal('ignored');
    expect((await account.svc.call('email.message.get', { messageId })).message.status).to.equal('cancelled');
  });

  it('are forgotten with the person, and a later one names nobody', async () => {
    const account = await platform.account();
    const name = `ada${randomBytes(6).toString('hex')}`;
    const email = `${name}@example.com`;
    const bounced = await mail.sent(account, email);
    const other = await mail.sent(account, email);
    const { database } = platform.running.services;
    const named = { finalRecipient: email, diagnostic: `smtp; 550 5.1.1 <${email}> is unknown` };
    await mail.report(bounced.returnPaths[0] ?? '', notice(named));
    await mail.report(other.returnPaths[0] ?? '', complaint());
    await platform.settled();
    expect(await searchDatabase(database, name)).to.include.members([
      'email_message.bounce_detail',
      'email_report.detail',
    ]);
    await platform.running.services.transaction('Test', ({ use }) =>
      use(erasure).request({ environment: account.live, personId: newId(), email, phone: null }),
    );
    await platform.settled();
    const { message, recipients } = await bounced.shown();
    expect(message).to.deep.include({ status: 'bounced', bounce: { kind: 'hard', code: '5.1.1', detail: '' } });
    expect(recipients).to.deep.equal([]);
    expect(await mail.report(other.returnPaths[0] ?? '', notice(named))).to.equal('ignored');
    expect(await searchDatabase(database, name)).to.deep.equal([]);
  });
});

describe('complaints', () => {
  const mail = useBounces();
  const { platform } = mail;

  itNeeding('audience')('suppress the address, and are in the timeline', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const [path = ''] = returnPaths;
    expect(await mail.report(path, complaint())).to.equal('recorded');
    expect(await mail.report(path, complaint())).to.equal('repeated');
    const { message, recipients, timeline } = await shown();
    expect(message).to.include({ status: 'sent', bouncedAt: null });
    expect(recipients[0]?.complainedAt).to.equal(platform.clock.now().toISOString());
    expect(timeline.at(-1)?.status).to.equal('complained');
    const { suppressions } = await account.svc.call('audience.suppression.list', { email: 'ada@example.com' });
    expect(suppressions.map(({ reason, note }) => [reason, note])).to.deep.equal([['complaint', 'Reported as abuse.']]);
  });

  it('are found by the return path of the message that they report', async () => {
    const account = await platform.account();
    for (const field of ['originalMailFrom', 'returnPath'] as const) {
      const { returnPaths } = await mail.sent(account, `${field}@example.com`);
      expect(await mail.report('abuse@example.net', complaint({ [field]: returnPaths[0] ?? '' }))).to.equal('recorded');
    }
    expect(await mail.report('abuse@example.net', complaint({ returnPath: 'bounce+0.0@example.net' }))).to.equal(
      'ignored',
    );
  });

  it('count only for the address that got the message, which they may hide', async () => {
    const account = await platform.account();
    const [first, second, third] = await Promise.all([
      mail.sent(account, 'a@example.com'),
      mail.sent(account, 'b@example.com'),
      mail.sent(account, 'c@example.com'),
    ]);
    const elsewhere = complaint({ originalRcptTo: 'victim@example.org' });
    expect(await mail.report(first.returnPaths[0] ?? '', elsewhere)).to.equal('ignored');
    const hidden = complaint({ originalRcptTo: 'redacted@example.com' });
    expect(await mail.report(second.returnPaths[0] ?? '', hidden)).to.equal('recorded');
    for (const type of ['not-spam', 'auth-failure'])
      expect(await mail.report(third.returnPaths[0] ?? '', complaint({ type }))).to.equal('ignored');
  });

  it('count if one of the recipients that they name is the address', async () => {
    const account = await platform.account();
    const { returnPaths } = await mail.sent(account);
    const several = complaint({ originalRcptTo: 'someone@elsewhere.example>\r\nOriginal-Rcpt-To: <ada@example.com' });
    expect(await mail.report(returnPaths[0] ?? '', several)).to.equal('recorded');
  });
});
