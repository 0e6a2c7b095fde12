import { expect } from 'chai';
import { runJobs } from '#plugins/email/automations/runs/retention.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { contactOf } from '#test/audience/support.js';
import { activeAutomation, runsOf, setProperty, signUp, wait } from '../support.js';

describe('Ended runs of automations', () => {
  const platform = usePlatform({ settings: () => ({ SVC_AUTOMATION_RUN_RETENTION_DAYS: '30' }) });
  const forget = async (): Promise<void> => {
    for (const job of runJobs(platform.running.services)) await job.run();
  };
  const counts = async (): Promise<[number, number]> => [
    await platform.count('email_automation_run'),
    await platform.count('email_automation_history'),
  ];

  it('are deleted with their history some days after their end; open ones stay, and nobody is enrolled again', async () => {
    const { svc } = await platform.account();
    const quick = await activeAutomation(svc, { steps: [setProperty('a', 1)] });
    const slow = await activeAutomation(svc, { steps: [setProperty('b', 1), wait(90 * 86_400)] });
    const { id: contactId } = await contactOf(svc, { email: 'ada@example.com' });
    await signUp(svc, contactId);
    await platform.settled();
    expect(await counts()).to.deep.equal([2, 2]);
    platform.clock.advance(days(30) - minutes(1));
    await forget();
    expect(await counts()).to.deep.equal([2, 2]);
    platform.clock.advance(minutes(2));
    await forget();
    expect(await counts()).to.deep.equal([1, 1]);
    expect((await runsOf(svc)).map(({ automationId }) => automationId)).to.deep.equal([slow.id]);
    expect(await signUp(svc, contactId)).to.deep.equal([]);
    await platform.settled();
    expect(await runsOf(svc, { automationId: quick.id })).to.deep.equal([]);
  });

  it('are deleted in small steps, however many there are', async () => {
    const { svc } = await platform.account();
    await activeAutomation(svc, { steps: [setProperty('a', 1)], triggerEvent: 'ping', reenter: true });
    const { id: contactId } = await contactOf(svc, { email: 'grace@example.com' });
    const before = await counts();
    await svc.call('audience.event.record', { contactId, name: 'ping' });
    await platform.settled();
    // Copies of the ended run, 1,201 with the first.
    const { database } = platform.running.services;
    await database.run(
      `INSERT INTO email_automation_run (id, environment_id, automation_id, contact_id, person_id, status, step_id, entered, position, context,
         steps_taken, activity_id, next_at, started_at, ended_at, end_reason)
       SELECT UNHEX(REPLACE(UUID(), '-', '')), r.environment_id, r.automation_id, r.contact_id, NULL, r.status, r.step_id, r.entered, r.position,
         r.context, r.steps_taken, NULL, NULL, r.started_at, r.ended_at, NULL
       FROM email_automation_run r JOIN svc_migration a JOIN svc_migration b WHERE r.contact_id = UNHEX(?) LIMIT 1200`,
      [contactId.replaceAll('-', '')],
    );
    expect((await counts())[0]).to.equal(before[0] + 1_201);
    platform.clock.advance(days(31));
    await forget();
    expect((await counts())[0]).to.be.at.most(before[0]);
  });
});
