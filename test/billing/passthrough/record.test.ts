import { expect } from 'chai';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { nextPeriod, periodOf } from '#plugins/billing/periods/months.js';
import { passThroughFees } from '#plugins/billing/ports.js';
import { closeMonths, endMonth, operatorOf } from '#test/billing/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('billing.passthrough.record', () => {
  const platform = usePlatform();
  const description = 'Carrier registration fee';

  it('adds a fee to the month that it was incurred in', async () => {
    const { accountId, projectId, live, svc } = await platform.account();
    const operator = operatorOf(platform);
    const input = { accountId, projectId, description, amount: '15', reference: 'registration-1' };
    const { result, activityId } = await operator.envelope('billing.passthrough.record', input);
    const now = platform.clock.now().toISOString();
    expect(result.line).to.deep.include({
      description,
      projectId,
      amount: { currency: 'USD', amount: '15.00' },
      incurredAt: now,
      reference: 'registration-1',
    });
    expect(result.period).to.equal(now.slice(0, 7));
    const events = (await platform.events(live)).filter(({ type }) => type === 'billing.passthrough.recorded');
    expect(events.map(({ data }) => data)).to.deep.equal([result]);
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity.operation).to.equal('billing.passthrough.record');
  });

  it('records a reference once in an account, however many calls race', async () => {
    const { accountId, live } = await platform.account();
    const operator = operatorOf(platform);
    const body = JSON.stringify({ accountId, description, amount: '15', reference: 'registration-2' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => operator.raw('/billing/passthrough/record', body)),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    const lines = answers.map(({ text }) => String(/"id":"([^"]+)"/.exec(text)?.[1]));
    expect(new Set(lines).size).to.equal(1);
    expect((await platform.events(live)).filter(({ type }) => type === 'billing.passthrough.recorded')).to.have.length(
      1,
    );

    const again = { accountId, description, amount: '15.00', reference: 'registration-2' };
    expect((await operator.call('billing.passthrough.record', again)).line.id).to.equal(lines[0]);
    for (const other of [
      { amount: '16' },
      { description: 'Another fee' },
      { incurredAt: '2026-01-01T00:00:00.000Z' },
    ]) {
      const refusal = await operator.refusal('billing.passthrough.record', { ...again, ...other });
      expect(refusal).to.include({ code: 'idempotency_mismatch', status: 409 });
      expect(refusal.message).to.contain('The same reference was used').and.to.contain('15.00 USD');
    }

    const other = await platform.account();
    const elsewhere = { accountId: other.accountId, description, amount: '15', reference: 'registration-2' };
    expect((await operator.call('billing.passthrough.record', elsewhere)).line.id).not.to.equal(lines[0]);
  });

  it('refuses a month that is closed', async () => {
    const { accountId } = await platform.account();
    const incurredAt = new Date(platform.clock.now().getTime() - days(62)).toISOString();
    const refusal = await operatorOf(platform).refusal('billing.passthrough.record', {
      accountId,
      description,
      amount: '15',
      incurredAt,
    });
    expect(refusal).to.include({ code: 'invoice_not_open', status: 409 });
    expect(refusal.message).to.contain(incurredAt.slice(0, 7));
  });

  it('refuses the last month from its close on, and takes the fee into the present one', async () => {
    const { accountId, svc } = await platform.account();
    const operator = operatorOf(platform);
    const fee = { accountId, description, amount: '15' };
    const incurredAt = platform.clock.now().toISOString();
    await operator.call('billing.passthrough.record', fee);
    const period = endMonth(platform);
    await operator.call('billing.passthrough.record', { ...fee, incurredAt });
    await closeMonths(platform);
    const late = { ...fee, incurredAt };
    const refusal = await operator.refusal('billing.passthrough.record', late);
    expect(refusal).to.include({ code: 'invoice_not_open', status: 409 });
    expect(refusal.fix).to.contain('incurredAt');
    expect((await operator.call('billing.passthrough.record', fee)).period).to.not.equal(period);
    expect((await svc.call('billing.invoice.get', { period })).invoice.total).to.equal('30.00');
  });

  it('takes fees into the next month while the present one is already closed', async () => {
    const { accountId, live, svc } = await platform.account();
    const operator = operatorOf(platform);
    const period = periodOf(platform.clock.now());
    const next = nextPeriod(period);
    const { services } = platform.running;
    // As after a clock that was wrong.
    await services.database.run(
      `INSERT INTO billing_month (account_id, period, spent, fees, reserved, closed_at) VALUES (?, ?, 0, 0, 0, NOW(3))`,
      [idBytes(accountId), Buffer.from(period)],
    );
    const fee = { accountId, description, amount: '15', reference: 'early-close' };
    expect((await operator.call('billing.passthrough.record', fee)).period).to.equal(next);
    expect((await operator.call('billing.passthrough.record', fee)).period).to.equal(next);
    const incurredAt = platform.clock.now().toISOString();
    const refusal = await operator.refusal('billing.passthrough.record', { ...fee, reference: 'other', incurredAt });
    expect(refusal).to.include({ code: 'invoice_not_open', status: 409 });
    expect(refusal.message).to.contain(period);
    expect(refusal.fix).to.contain(`Omit incurredAt to charge the fee in ${next}`);
    await services.transaction('Test', async ({ use, actIn }) => {
      actIn(live);
      const carrier = { kind: 'sms_campaign', name: 'Acme GmbH', amount: '4.00', reference: 'campaign-2' } as const;
      await use(passThroughFees).record(live, carrier);
    });
    endMonth(platform);
    const { invoice } = await svc.call('billing.invoice.get', { period: next });
    expect(invoice.subtotal).to.equal('19.00');
  });

  it('refuses a time in the future, a project of another account and an account that does not exist', async () => {
    const { accountId } = await platform.account();
    const { projectId } = await platform.account();
    const operator = operatorOf(platform);
    const input = { accountId, description, amount: '15' };
    const incurredAt = new Date(platform.clock.now().getTime() + days(1)).toISOString();
    const future = await operator.refusal('billing.passthrough.record', { ...input, incurredAt });
    expect(future).to.deep.include({ code: 'invalid_input', details: { field: 'incurredAt' } });
    expect((await operator.refusal('billing.passthrough.record', { ...input, projectId })).code).to.equal('not_found');
    const nobody = await operator.refusal('billing.passthrough.record', { ...input, accountId: newId() });
    expect(nobody.code).to.equal('not_found');
    const free = await operator.refusal('billing.passthrough.record', { ...input, amount: '0.00' });
    expect(free).to.deep.include({ code: 'invalid_input', details: { field: 'amount' } });
  });

  it('is for the operator alone', async () => {
    const { accountId, svc } = await platform.account();
    const refusal = await svc.refusal('billing.passthrough.record', { accountId, description, amount: '15' });
    expect(refusal).to.include({ code: 'operator_only', status: 403 });
  });

  it('charges the fees of other products once, and nothing in test environments', async () => {
    const { accountId, live, test, svc } = await platform.account();
    const second = (await svc.call('account.project.create', { name: 'Second' })).project;
    const { services } = platform.running;
    const fee = { kind: 'sms_campaign', name: 'Acme GmbH', amount: '4.00', reference: 'campaign-1' } as const;
    for (const environment of [live, test, live])
      await services.transaction('Test', async ({ use, actIn }) => {
        actIn(environment);
        await use(passThroughFees).record(environment, fee);
      });
    const environments = await liveEnvironments(services.database, accountId);
    expect(environments.map(({ projectId }) => projectId))
      .to.include(second.id)
      .and.have.length(2);
    for (const each of environments)
      expect(
        (await platform.events(each)).filter(({ type }) => type === 'billing.passthrough.recorded'),
        'in the live environment of each project',
      ).to.have.length(1);
    expect((await platform.events(test)).filter(({ type }) => type.startsWith('billing.'))).to.deep.equal([]);
    const id = accountId.replaceAll('-', '');
    expect(await platform.count('billing_passthrough', `account_id = 0x${id} AND amount = 4000000`)).to.equal(1);
  });
});
