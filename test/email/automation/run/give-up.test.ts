import { expect } from 'chai';
import { refusalOf } from '#core/kernel/errors/common.js';
import { idBytes } from '#core/runtime/id.js';
import { giveUp } from '#plugins/email/automations/runner/give-up.js';
import { loadRuns } from '#plugins/email/automations/runner/load.js';
import { contactOf } from '#test/audience/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import {
  activeAutomation,
  linesOf,
  readyToSend,
  runOf,
  runsOf,
  setProperty,
  signUp,
  subscriberOf,
  wait,
} from '../support.js';

describe('A step of an automation that keeps failing', () => {
  const platform = usePlatform();

  /** An automation whose template can no longer be read. */
  async function brokenAutomation(account: TestAccount): Promise<string> {
    const { svc, live } = account;
    const send = await readyToSend(platform, account);
    const steps = [setProperty('a', 1), wait(60), send, setProperty('b', 1)];
    const { id } = await activeAutomation(svc, { steps });
    await platform.running.services.database.run(
      'DELETE c FROM email_template_content c JOIN email_template_version v ON v.id = c.owner_id WHERE v.environment_id = ?',
      [idBytes(live.id)],
    );
    return id;
  }

  /** The worker tries again after at most five minutes. */
  async function tryAgain(times: number): Promise<void> {
    for (let tried = 0; tried < times; tried += 1) {
      platform.clock.advance(minutes(5));
      await platform.settled();
    }
  }

  it('is given up after 20 tries: the run failed, and its history says why', async () => {
    const account = await platform.account();
    const automationId = await brokenAutomation(account);
    const contactId = await subscriberOf(account.svc);
    await signUp(account.svc, contactId);
    await platform.settled();
    await tryAgain(19);
    const before = await runOf(account.svc, automationId);
    expect(before.run).to.include({ status: 'waiting', endReason: null });
    await tryAgain(2);
    const after = await runOf(account.svc, automationId);
    expect(after.run).to.include({ status: 'failed', endReason: 'step_error', position: 'steps[2]', nextAt: null });
    expect(linesOf(after)).to.deep.equal([
      'steps[0] property.set set',
      'steps[1] wait waited',
      'steps[2] send failed step_error',
    ]);
    expect(await platform.count('email_automation_queue')).to.equal(0);
    expect(platform.logLines.some((line) => line.includes('a step cannot be taken; its run failed'))).to.equal(true);
  });

  it('is taken where the trouble ends before, and later steps have all of their tries', async () => {
    const account = await platform.account();
    const automationId = await brokenAutomation(account);
    const contactId = await subscriberOf(account.svc);
    await signUp(account.svc, contactId);
    await platform.settled();
    await tryAgain(15);
    expect((await runOf(account.svc, automationId)).run.status).to.equal('waiting');
    await account.svc.call('email.template.draft.save', {
      template: 'welcome',
      locales: { en: { subject: 'Again', text: 'Again' } },
    });
    await account.svc.call('email.template.publish', { template: 'welcome' });
    await tryAgain(1);
    const { run } = await runOf(account.svc, automationId);
    expect(run).to.include({ status: 'completed', endReason: null });
  });

  it('is tried for as long as the trouble lasts where it passes by itself', async () => {
    const { svc } = await platform.account();
    await activeAutomation(svc, { steps: [wait(3_600)] });
    const { id: contactId } = await contactOf(svc, { email: 'grace@example.com' });
    await signUp(svc, contactId);
    await platform.settled();
    const [run] = await runsOf(svc);
    const { services } = platform.running;
    const loaded = run && (await loadRuns(services.database, [run.id])).get(run.id);
    if (!loaded) throw new Error('There is no run.');
    const partitionId = loaded.automation.id;
    const claim = { id: loaded.run.id, partitionId, lane: 2, attempts: 50, leaseToken: Buffer.alloc(16) };
    const troubles = [
      refusalOf.rate_limited({ limit: '200 templates wait', seconds: 1 }),
      refusalOf.unavailable({ problem: 'the database is read-only' }),
      Object.assign(new Error('The connection is gone.'), { code: 'ECONNRESET' }),
    ];
    for (const trouble of troubles) {
      const thrown: unknown = await giveUp(services, { claim, loaded, tries: 50 }, trouble).catch(
        (error: unknown) => error,
      );
      expect(thrown).to.equal(trouble);
    }
  });
});
