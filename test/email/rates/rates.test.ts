import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readRates } from '#plugins/email/deployment/rates.js';
import { seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { send, useMail } from '../support.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-rates-'));
const file = join(folder, 'rates.json');
const write = (value: unknown): void => writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
after(() => rmSync(folder, { recursive: true }));

describe('SVC_MAIL_RATE', () => {
  const mail = useMail({ settings: { SVC_MAIL_RATE: '20' } });

  it('spaces what is submitted, and loses nothing', async () => {
    const { svc } = await mail.platform.account();
    const first = performance.now();
    await Promise.all(Array.from({ length: 30 }, () => send(svc)));
    await mail.smtp.waitFor(30, 30_000);
    expect(performance.now() - first, '30 at 20 a second').to.be.greaterThan(1_400);
  });
});

describe('SVC_MAIL_RATE with several environments', () => {
  const mail = useMail({ settings: { SVC_MAIL_RATE: '5' } });

  it('lets them take turns: one that sends many does not delay the others', async () => {
    const { svc } = await mail.platform.account();
    const other = (await mail.platform.account()).svc;
    await Promise.all(Array.from({ length: 40 }, () => send(svc)));
    await mail.smtp.waitFor(5, 30_000);
    await send(other, { to: 'ada@other.example' });
    const hasArrived = (): boolean =>
      mail.smtp.received.some(({ recipients }) => recipients.includes('ada@other.example'));
    /** Messages whose turn is more than 5 s away have returned to the queue, and are due by the clock. */
    const arrives = (condition: () => boolean, what: string): Promise<void> =>
      eventually(
        () => {
          mail.platform.clock.advance(seconds(1));
          return condition();
        },
        what,
        60_000,
        200,
      );
    await arrives(hasArrived, 'the mail of the other environment');
    expect(mail.smtp.received.length, 'mails before it').to.be.lessThan(30);
    await arrives(() => mail.smtp.received.length === 41, 'all mails');
  }).timeout(120_000);
});

describe('SVC_MAIL_RATES_FILE', () => {
  write({ domains: { 'slow.example': 1 } });
  const mail = useMail({ settings: { SVC_MAIL_RATES_FILE: file } });
  const arrivedAt = (domain: string): number =>
    mail.smtp.received.filter(({ recipients }) => recipients.some((address) => address.endsWith(`@${domain}`))).length;

  it('limits one domain without holding up others, and without counting an attempt', async () => {
    const { platform } = mail;
    const { svc } = await platform.account();
    const sent = [];
    for (let n = 0; n < 4; n += 1) sent.push(await send(svc, { to: `n${n}@slow.example` }));
    for (let n = 0; n < 4; n += 1) await send(svc, { to: `n${n}@fast.example` });
    await mail.smtp.waitFor(() => arrivedAt('fast.example') === 4);
    await platform.settled();
    expect(arrivedAt('slow.example')).to.equal(1);
    expect(await platform.count('email_queue', 'attempts = 0 AND leased = 0')).to.equal(3);
    for (let n = 2; n <= 4; n += 1) {
      platform.clock.advance(seconds(1));
      await mail.smtp.waitFor(() => arrivedAt('slow.example') === n);
    }
    await platform.settled();
    const last = await svc.call('email.message.get', { messageId: sent.at(-1)?.messageId ?? '' });
    expect(last.message.status).to.equal('sent');
    expect(last.attempts).to.have.length(1);
  });

  it('is read again when it changes; a wrong one is reported and changes nothing', async () => {
    const { platform } = mail;
    const { svc } = await platform.account();
    const warned = (): boolean => platform.logLines.some((line) => line.includes('SVC_MAIL_RATES_FILE is not valid'));
    const flood = async (): Promise<boolean> => {
      platform.clock.advance(seconds(10));
      await platform.settled();
      const before = arrivedAt('slow.example');
      await Promise.all([1, 2, 3].map((n) => send(svc, { to: `n${n}@slow.example` })));
      await platform.settled();
      return arrivedAt('slow.example') - before === 3;
    };
    write('{"domains": 1}');
    await eventually(async () => (await flood()) || warned(), 'the wrong file is reported', 30_000, 500);
    expect(await flood(), 'the limits stay').to.equal(false);
    write({ domains: { 'slow.example': 10_000 } });
    await eventually(flood, 'three leave at once', 30_000, 500);
  }).timeout(90_000);

  it('is refused at the start where it is wrong, with what is wrong', () => {
    const cases: [unknown, RegExp][] = [
      ['not json', /JSON object/],
      [[], /JSON object/],
      [{ speed: 1 }, /“speed”/],
      [{ rate: 0 }, /“rate”/],
      [{ rate: '10' }, /“rate”/],
      [{ domains: [] }, /“domains”/],
      [{ domains: { 'gmail.com': -1 } }, /“gmail.com”/],
      [{ domains: { 'not a domain': 1 } }, /“not a domain”/],
    ];
    for (const [value, problem] of cases) {
      const path = join(folder, 'wrong.json');
      writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
      expect(() => readRates(path), JSON.stringify(value)).to.throw(problem);
    }
    expect(() => readRates(join(folder, 'absent.json'))).to.throw(/cannot be read/);
    const path = join(folder, 'right.json');
    writeFileSync(path, '{"rate": 0.5, "domains": {"GMail.com": 20, "*": 50}}');
    expect(readRates(path)).to.deep.equal({ rate: 0.5, domains: new Map([['gmail.com', 20]]), otherDomains: 50 });
  });
});
