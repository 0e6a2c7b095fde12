import { expect } from 'chai';
import { verifyWebhook } from '#core/surfaces/sdk/verify-webhook.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { startWebhookReceiver } from '#test/support/webhook-receiver.js';
import { startSvc } from './support.js';

describe('svc listen', function () {
  this.timeout(30_000);
  const platform = usePlatform();

  it('forwards each new event once, signed with the secret that it prints', async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = ({ event }, response) =>
      void response.writeHead(event.data['account'] ? 204 : 500).end(event.data['account'] ? '' : 'not mine');
    const { svcTest, keys } = await platform.account();
    await svcTest.call('account.update', { name: 'Before' });
    const child = startSvc(['listen', '--forward', `${receiver.url}/hook`, '--base-url', platform.running.address], {
      key: keys.test.secret,
    });
    const seen = { stdout: '', stderr: '' };
    child.stdout.on('data', (data: Buffer) => (seen.stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (seen.stderr += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      await eventually(() => seen.stderr.includes('Ctrl-C'), 'svc listen is ready');
      const secret = /svc_wh_[A-Za-z0-9]{43}/.exec(seen.stderr)?.[0] ?? '';
      await svcTest.call('account.update', { name: 'First' });
      await svcTest.call('account.update', { name: 'Second' });
      await svcTest.call('developers.key.create', { name: 'Third', permissions: ['email:read'] });
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
      child.kill('SIGINT');
    }
    expect(await ended).to.equal(0);
    expect(seen.stderr).to.contain('3 events.');
    await receiver.close();
  });
});
