import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { openStage, type Stage } from './support/stage.js';

describe('kill -9 after a sign-in was started', function () {
  this.timeout(120_000);
  needProducts('auth', 'email');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('loses no code: its mail leaves after the restart, and the code signs in', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { mail, askPublishable } = stage;

    // A node that only answers calls does not send: the mail is queued when it dies.
    const answering = await stage.start({ settings: { SVC_ROLE: 'api' } });
    const started = await askPublishable(answering, 'auth.signin.start', { email: 'ada@example.com' });
    await answering.kill();
    expect(mail.received).to.deep.equal([]);
    const restarted = await stage.start();
    const [received] = await mail.waitFor(1, 30_000);
    const code = /\b\d{6}\b/.exec(received?.parsed.text ?? '')?.[0] ?? '';
    const input = { challengeId: textAt(started, 'challengeId'), code };
    expect(await askPublishable(restarted, 'auth.signin.verify', input)).to.include({ status: 'complete' });
  });
});
