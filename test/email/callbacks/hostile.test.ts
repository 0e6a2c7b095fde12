import { expect } from 'chai';
import { recordBounceReport } from '#plugins/email/inbound/mail-report.js';
import { parseMailReport } from '#plugins/email/bounces/parse.js';
import { requireSharedSecret } from '#plugins/email/callbacks/shared-secret.js';
import { complaint, notice, useBounces } from '../bounces/support.js';
import { basic, mailgunBody, post, secret, sendgridHeaders, sendgridPublicKey } from './support.js';

/** Numbers that look random and are the same on every run (Park and Miller). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

describe('hostile reports', () => {
  const mail = useBounces({
    SVC_MAIL_CALLBACK_SECRET: secret,
    SVC_MAIL_SENDGRID_KEY: sendgridPublicKey,
    SVC_MAIL_MAILGUN_KEY: 'mailgun-signing-key',
  });
  const { platform } = mail;

  /** Answers of 500 are faults of ours; every other status is an answer. */
  const statusOf = async (body: string | Buffer | object, headers: Record<string, string>): Promise<number> =>
    (await post(platform, body, headers)).status;

  it('that are cut off or damaged anywhere are read or refused', async () => {
    const random = randomNumbers(7);
    for (const whole of [notice(), complaint()]) {
      for (let end = 0; end < whole.length; end += 37) await parseMailReport(whole.subarray(0, end));
      for (let round = 0; round < 300; round += 1) {
        const damaged = Buffer.from(whole);
        for (let change = 0; change < 5; change += 1) damaged[random(damaged.length)] = random(256);
        await parseMailReport(damaged);
      }
    }
  });

  it('that are huge, nested or not text are read within their limits', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const [path = ''] = returnPaths;
    const nested = Array.from(
      { length: 200 },
      (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`,
    ).join('');
    const cases = [
      Buffer.alloc(0),
      Buffer.alloc(1_000_000, 0xff),
      Buffer.alloc(1_000_000, '\r\n'),
      Buffer.from(`X: ${'y'.repeat(2_000_000)}\r\n\r\n`),
      Buffer.from('X: y\r\n'.repeat(200_000)),
      Buffer.from(nested),
      // A report inside the returned message is about another message.
      notice({ action: null, returned: notice().toString() }),
    ];
    for (const raw of cases)
      expect(await recordBounceReport(platform.running.services, { envelopeTo: path, raw })).to.equal('ignored');
    expect((await shown()).message.status).to.equal('sent');
    // Another recipient than the message's: it was forwarded, which is not the fault of the address.
    const forwarded = await mail.sent(account, 'forwarded@example.com');
    const others = [
      notice({ finalRecipient: 'é'.repeat(10_000) }),
      notice({ finalRecipient: `${'a'.repeat(100_000)}@example.com` }),
      notice({ finalRecipient: 'bob@example.com', returned: notice().toString() }),
    ];
    for (const [index, raw] of others.entries())
      expect(await mail.report(forwarded.returnPaths[0] ?? '', raw)).to.equal(index === 0 ? 'recorded' : 'repeated');
    expect((await forwarded.shown()).message.bounce?.kind).to.equal('soft');
    const long = await mail.sent(account, 'long@example.com');
    const endless = { finalRecipient: 'long@example.com', diagnostic: `smtp; ${'x'.repeat(1_000_000)}` };
    expect(await mail.report(long.returnPaths[0] ?? '', notice({ ...endless, status: '9'.repeat(10_000) }))).to.equal(
      'recorded',
    );
    expect((await long.shown()).message.bounce).to.deep.equal({ kind: 'soft', code: null, detail: 'x'.repeat(500) });
    const detail = 'Mailbox défectueux 🚫\u0007\u0000 '.repeat(200);
    expect(await mail.report(path, notice({ diagnostic: `smtp; 550 5.1.1 ${detail}` }))).to.equal('recorded');
    const { message } = await shown();
    expect(message.bounce?.detail).to.match(/^550 5\.1\.1 Mailbox défectueux 🚫/u);
    expect(message.bounce?.detail.length).to.be.at.most(500);
  });

  it('as plain text are read in a time that grows with their length', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const head = (...more: string[]): string => ['From: MAILER-DAEMON@mx.example.com', ...more, '', ''].join('\r\n');
    const long = 120_000;
    const cases = [
      head() + '-'.repeat(long),
      head() + '---copy'.repeat(long / 7),
      head() + '-'.repeat(long / 2) + '\n'.repeat(3_000),
      head() + `<${'a'.repeat(long)}`,
      head() + `<${'@'.repeat(long)}`,
      head() + `<${'a@'.repeat(long / 2)}>`,
      head() + ' \n'.repeat(3_900),
      head(`X-Failed-Recipients: ${'a'.repeat(long)}`) + 'x',
      head(`X-Failed-Recipients: ${'a@'.repeat(long / 2)}`) + 'x',
      head(`X-Failed-Recipients: ${'a@b,'.repeat(long / 4)}`) + 'x',
      head(`X-Failed-Recipients: ada@example.com`) + `ada@example.com${' '.repeat(long)}`,
    ];
    const outcomes: string[] = [];
    for (const text of cases) outcomes.push(await mail.report(returnPaths[0] ?? '', Buffer.from(text)));
    // A report about another address counts as soft, the last one is about the address itself.
    expect(outcomes.slice(0, 7)).to.deep.equal(Array.from({ length: 7 }, () => 'ignored'));
    expect((await shown()).message.status).to.equal('bounced');
  });

  it('of providers with values of the wrong kind are ignored', async () => {
    const account = await platform.account();
    const { messageId, shown } = await mail.sent(account);
    const odd: unknown[] = [
      null,
      true,
      -1,
      1e308,
      '',
      '\u0000',
      [],
      {},
      [[]],
      { toString: 1 },
      '__proto__',
      'x'.repeat(100_000),
    ];
    const messages = (value: unknown): object[] => [
      { RecordType: 'Bounce', Type: value, Email: value, MessageID: value, BouncedAt: value, Metadata: value },
      { RecordType: 'Bounce', Type: 'HardBounce', Email: value, MessageID: messageId },
      { RecordType: 'Bounce', Type: 'HardBounce', Email: 'ada@example.com', MessageID: value, Metadata: value },
      { event: 'hard_bounce', 'message-id': 'x', email: value, ts_epoch: value, reason: value },
      [{ event: 'hard_bounce', 'message-id': 'x', email: 'ada@example.com' }, value],
    ];
    for (const value of odd) {
      for (const body of messages(value)) expect(await statusOf(body, basic())).to.be.oneOf([200, 403]);
      const signed = mailgunBody({
        event: 'failed',
        recipient: value,
        timestamp: value,
        message: value,
        envelope: value,
      });
      expect(await statusOf(signed, {})).to.equal(200);
      const list = JSON.stringify([value, { event: 'bounce', email: value, timestamp: value, 'smtp-id': value }]);
      expect(await statusOf(list, sendgridHeaders(list))).to.equal(200);
    }
    expect((await shown()).message.status).to.equal('sent');
  });

  it('in bodies that are deep, large or not UTF-8 are answered', async () => {
    const bodies = [
      '['.repeat(100_000),
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      `{"RecordType":"Bounce","Email":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      Buffer.from([0xff, 0xfe, 0x00]),
      '{"__proto__":{"RecordType":"Bounce"}}',
    ];
    for (const body of bodies) expect(await statusOf(body, basic())).to.be.oneOf([200, 400, 403]);
    expect(await statusOf(Buffer.alloc(4 * 1024 * 1024 + 1, 'x'), basic())).to.equal(413);
    for (const authorization of ['Basic ====', 'Basic', 'Bearer', `Bearer ${'x'.repeat(5_000)}`, 'Basic Og=='])
      expect(await statusOf({ RecordType: 'Bounce' }, { authorization })).to.equal(403);
  });

  it('with much white space in their secret are refused in a moment', () => {
    const request = { requestId: '', ip: '127.0.0.1', userAgent: null, origin: null };
    const headers = { authorization: `Bearer a${' '.repeat(15_000)}b` };
    const call = { rawBody: Buffer.alloc(0), headers, query: new URLSearchParams(), url: '', request };
    const began = performance.now();
    for (let count = 0; count < 50; count += 1)
      expect(() => requireSharedSecret(call, platform.running.services)).to.throw(
        'the shared secret is missing or wrong',
      );
    expect(performance.now() - began).to.be.lessThan(1_000);
  });

  it('that come by the hundred in one body are each recorded once', async () => {
    const account = await platform.account();
    const addresses = Array.from({ length: 40 }, (_, index) => `r${index}@example.com`);
    const { messageId, shown } = await mail.sent(account, addresses);
    const events = [...addresses, ...addresses, ...addresses].map((email) => ({
      email,
      event: 'bounce',
      type: 'bounce',
      timestamp: 1,
      reason: '550 5.1.1 unknown',
      'smtp-id': `<${messageId}@x.example>`,
    }));
    const body = JSON.stringify(events);
    const reply = await post(platform, body, sendgridHeaders(body));
    expect(reply.counts).to.deep.equal({ recorded: 40, repeated: 80, ignored: 0 });
    expect((await shown()).message.status).to.equal('bounced');
    const bounced = (await platform.events(account.live)).filter(({ type }) => type === 'email.bounced');
    expect(bounced).to.have.length(40);
  });
});
