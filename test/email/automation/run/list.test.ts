import { expect } from 'chai';
import { pageOfRuns } from '#plugins/email/automations/runs/page.js';
import { automations, runs, type RunRow, type StoredRunStatus } from '#plugins/email/tables/automation.js';
import { newId } from '#core/runtime/id.js';
import { handlerReads } from '#test/support/handler-reads.js';
import { usePlatform } from '#test/support/platform.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { activeAutomation } from '../support.js';

describe('email.automation.run.list', () => {
  const platform = usePlatform();

  const newRun = (environment: Environment, automationId: string, status: StoredRunStatus): RunRow => ({
    id: newId(),
    environmentId: environment.id,
    automationId,
    contactId: newId(),
    personId: null,
    status,
    stepId: 1,
    entered: true,
    position: 'steps[0]',
    context: '{}',
    stepsTaken: 0,
    activityId: null,
    nextAt: null,
    startedAt: platform.clock.now(),
    endedAt: null,
    endReason: null,
  });

  async function storeRuns(rows: readonly RunRow[]): Promise<void> {
    await platform.running.services.database.run(runs.insertRows(rows));
  }

  it('reads few more rows than it returns, whatever it is filtered by and however many runs there are', async () => {
    const { svc, live } = await platform.account();
    const [active, paused] = [await activeAutomation(svc), await activeAutomation(svc)];
    await svc.call('email.automation.pause', { automationId: paused.id });
    await storeRuns([
      ...(['failed', 'cancelled', 'waiting'] as const).map((status) => newRun(live, active.id, status)),
      ...Array.from({ length: 1_500 }, () => newRun(live, active.id, 'completed')),
      ...Array.from({ length: 1_500 }, () => newRun(live, paused.id, 'waiting')),
    ]);
    await platform.running.services.database.transaction(async (db) => {
      for (const [status, automationId, found] of [
        ['failed', active.id, 1],
        ['cancelled', active.id, 1],
        ['waiting', active.id, 1],
        ['completed', active.id, 11],
        ['held', paused.id, 11],
      ] as const)
        for (const filter of [{ status }, { status, automationId }]) {
          const before = await handlerReads(db);
          const { rows } = await pageOfRuns(db, live, filter, { limit: 11 });
          expect((await handlerReads(db)) - before).to.be.lessThan(200);
          expect(rows.map((row) => row.automationId)).to.deep.equal(Array.from({ length: found }, () => automationId));
        }
    });
  });

  it('pages through the waiting runs of few and of many automations, newest first', async () => {
    const { svc, live } = await platform.account();
    const { id } = await activeAutomation(svc);
    const rows = [newRun(live, id, 'waiting')];
    await storeRuns(rows);
    const model = await platform.running.services.database.findOne(automations, { id });
    if (!model) throw new Error('The automation is gone.');
    for (const more of [3, 110]) {
      const others = Array.from({ length: more }, () => ({ ...model, id: newId() }));
      await platform.running.services.database.run(automations.insertRows(others));
      rows.push(...others.map((automation) => newRun(live, automation.id, 'waiting')));
      await storeRuns(rows.slice(-more));
      const listed: string[] = [];
      for (let before: string | undefined, isLast = false; !isLast;) {
        const page = await svc.call('email.automation.run.list', {
          status: 'waiting',
          limit: 40,
          ...(before === undefined ? {} : { before }),
        });
        listed.push(...page.runs.map((run) => run.id));
        before = page.nextBefore ?? undefined;
        isLast = page.nextBefore === null;
      }
      expect(listed).to.deep.equal(rows.map((row) => row.id).reverse());
    }
  });

  it('filtered by contact has the runs of that contact alone, by the status that is shown', async () => {
    const { svc, live } = await platform.account();
    const [active, paused] = [await activeAutomation(svc), await activeAutomation(svc)];
    await svc.call('email.automation.pause', { automationId: paused.id });
    const { contact } = await svc.call('audience.contact.upsert', { email: 'ada@example.com' });
    const own = [
      newRun(live, active.id, 'waiting'),
      newRun(live, active.id, 'completed'),
      newRun(live, paused.id, 'waiting'),
    ].map((row) => ({ ...row, contactId: contact.id }));
    await storeRuns([...own, newRun(live, active.id, 'waiting'), newRun(live, paused.id, 'waiting')]);
    const listed = async (filter: object): Promise<string[]> =>
      (await svc.call('email.automation.run.list', { contactId: contact.id, ...filter })).runs.map((run) => run.id);
    const [waiting, completed, held] = own.map(({ id }) => id);
    expect(await listed({})).to.deep.equal([held, completed, waiting]);
    expect(await listed({ status: 'held' })).to.deep.equal([held]);
    expect(await listed({ status: 'waiting' })).to.deep.equal([waiting]);
    expect(await listed({ status: 'completed', automationId: active.id })).to.deep.equal([completed]);
    expect(await listed({ status: 'held', automationId: active.id })).to.deep.equal([]);
  });
});
