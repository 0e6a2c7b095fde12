import { expect } from 'chai';
import { verifyWebhook } from '#core/surfaces/sdk/verify-webhook.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { forwards, refuses, useScript, type Line } from '#test/sdk/support.js';
import { startWebhookReceiver } from '#test/support/webhook-receiver.js';
import { listening } from './support.js';

describe('svc listen', function () {
  this.timeout(60_000);
  const platform = usePlatform();

  it('forwards each new event once, signed with the secret that it prints', async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = ({ event }, response) =>
      void response.writeHead(event.data['account'] ? 204 : 500).end(event.data['account'] ? '' : 'not mine');
    const { svc, keys } = await platform.account();
    await svc.call('account.update', { name: 'Before' });
    const { seen, stop } = listening(['--forward', `${receiver.url}/hook`], platform.running.address, keys.live.secret);
    try {
      await eventually(() => seen.stderr.includes('Ctrl-C'), 'svc listen is ready');
      const secret = /svc_wh_[A-Za-z0-9]{43}/.exec(seen.stderr)?.[0] ?? '';
      await svc.call('account.update', { name: 'First' });
      await svc.call('account.update', { name: 'Second' });
      await svc.call('developers.key.create', { name: 'Third', permissions: ['account:read'] });
      const received = await receiver.waitFor(3);
      expect(received.map(({ path, event }) => [path, event.type])).to.deep.equal([
        ['/hook', 'account.updated'],
        ['/hook', 'account.updated'],
        ['/hook', 'developers.key.created'],
      ]);
      for (const { headers, body, event } of received) {
        verifyWebhook(body, String(headers['svc-signature']), secret);
        expect(headers).to.include({ 'svc-event-id': event.id, 'content-type': 'application/json' });
      }
      await eventually(() => seen.stdout.includes('not mine'), 'the answers are shown');
      // Another poll brings nothing twice.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(receiver.received).to.have.length(3);
      expect(seen.stdout).to.match(/account\.updated +[0-9a-f-]{36} +→ 204 in \d+ ms\n/);
      expect(seen.stdout).to.match(/developers\.key\.created +[0-9a-f-]{36} +→ 500 in \d+ ms\n +not mine\n/);
    } finally {
      expect(await stop()).to.equal(0);
    }
    expect(seen.stderr).to.contain('3 events.');
    await receiver.close();
  });

  describe('towards the server', () => {
    const script = useScript();
    const to = (): string => platform.running.address;

    it('reads each event once, and one page per poll while nothing new happens', async () => {
      const { svc, keys } = await platform.account();
      const change = async (from: number, count: number): Promise<void> => {
        const names = Array.from({ length: count }, (_, n) => `Name ${from + n}`);
        await Promise.all(names.map((name) => svc.call('account.update', { name })));
      };
      await change(0, 15);
      script.plays(forwards(to));
      const { seen, stop } = listening(['--json'], script.address, keys.live.secret);
      const pagesBefore = (): number => script.arrived.filter(({ body }) => body.includes('"before"')).length;
      try {
        await eventually(() => script.arrived.length >= 4, 'three polls');
        expect(pagesBefore()).to.equal(0);
        for (let n = 0; n < 13; n += 1) await change(100 + 10 * n, 10);
        await eventually(() => seen.stdout.split('\n').length > 130, 'all events are printed');
        const printed = seen.stdout.trim().split('\n');
        expect(new Set(printed).size).to.equal(130);
        const paged = pagesBefore();
        const polls = script.arrived.length;
        await eventually(() => script.arrived.length >= polls + 3, 'three more polls');
        expect(pagesBefore()).to.equal(paged);
        expect(seen.stdout.trim().split('\n')).to.deep.equal(printed);
      } finally {
        await stop();
      }
    });

    it('waits as long as a refusal asks for, and misses nothing', async () => {
      const { svc, keys } = await platform.account();
      const times: number[] = [];
      const timed =
        (line: Line): Line =>
        (...request) => {
          times.push(performance.now());
          return line(...request);
        };
      const full = refuses(429, 'rate_limited', 'Wait 2 seconds, then call again.', { 'Retry-After': '2' });
      script.plays(timed(forwards(to)), timed(full), timed(forwards(to)));
      const { seen, stop } = listening([], script.address, keys.live.secret);
      try {
        await eventually(() => seen.stderr.includes('Ctrl-C'), 'svc listen is ready');
        await svc.call('account.update', { name: 'While it waits' });
        await eventually(() => seen.stdout.includes('account.updated'), 'the event is printed');
        expect(seen.stderr).to.contain('rate_limited: the server asks to wait 2 s.');
        const [, refused = 0, next = 0] = times;
        expect(next - refused).to.be.at.least(1_990);
      } finally {
        await stop();
      }
    });
  });
});
