import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf, concurrently } from '../support.js';

describe('audience.suppression.add', () => {
  const platform = usePlatform();

  it('suppresses an address, in any spelling', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope('audience.suppression.add', {
      email: 'Ada@EXAMPLE.com',
      note: 'Asked by phone.',
    });
    const { suppression } = result;
    expect(suppression).to.deep.equal({
      id: suppression.id,
      channel: 'email',
      email: 'ada@example.com',
      phone: null,
      reason: 'manual',
      note: 'Asked by phone.',
      liftable: true,
      createdAt: platform.clock.now().toISOString(),
      liftedAt: null,
    });
    expect(await eventsOf(platform, live, 'audience.')).to.deep.equal([
      { type: 'audience.suppression.added', subjectId: suppression.id, personId: null, activityId, data: result },
    ]);
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.suppression.add',
      subject: `suppression ${suppression.id}`,
      personId: null,
      summary: 'Suppressed an address manually.',
      changes: [
        { field: 'channel', from: null, to: 'email' },
        { field: 'reason', from: null, to: 'manual' },
        ...(suppression.note === null ? [] : [{ field: 'note', from: null, to: '(withheld)' }]),
      ],
    });
  });

  it('suppresses a number on sms only, and names the contact that has it', async () => {
    const { svc, live } = await platform.account();
    const contact = await contactOf(svc, { email: 'ada@example.com', phone: '+4915123456789' });
    const { activityId, result } = await svc.envelope('audience.suppression.add', { phone: '+49 1512 3456789' });
    expect(result.suppression).to.include({ channel: 'sms', email: null, phone: '+4915123456789', note: null });
    const [added] = await eventsOf(platform, live, 'audience.suppression.');
    expect(added?.personId).to.equal(contact.id);
    const audit = await auditOf(platform, activityId);
    expect(audit.personId).to.equal(contact.id);
    expect(JSON.stringify(audit)).not.to.contain('4915123456789');
    const shown = await svc.call('audience.contact.get', { contactId: contact.id });
    expect(shown.suppressions).to.deep.equal([result.suppression]);
  });

  it('answers a repeat with the active suppression unchanged, with its own audit record and no event', async () => {
    const { svc, live } = await platform.account();
    const first = await svc.envelope('audience.suppression.add', { email: 'ada@example.com', note: 'First.' });
    platform.clock.advance(minutes(1));
    const again = await svc.envelope('audience.suppression.add', { email: 'ADA@example.com', note: 'Second.' });
    expect(again.result).to.deep.equal(first.result);
    expect(again.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, again.activityId)).to.include({
      subject: `suppression ${first.result.suppression.id}`,
    });
    expect(await eventsOf(platform, live, 'audience.')).to.have.length(1);
  });

  it('adds a new one after the earlier one was lifted', async () => {
    const { svc } = await platform.account();
    const { suppression: first } = await svc.call('audience.suppression.add', { email: 'ada@example.com' });
    await svc.call('audience.suppression.lift', { suppressionId: first.id });
    const { suppression: second } = await svc.call('audience.suppression.add', { email: 'ada@example.com' });
    expect(second.id).not.to.equal(first.id);
    const { suppressions } = await svc.call('audience.suppression.list', { email: 'ada@example.com' });
    expect(suppressions.map(({ id, liftable }) => [id, liftable])).to.deep.equal([
      [second.id, true],
      [first.id, false],
    ]);
  });

  it('requires exactly one valid address or number', async () => {
    const { svc, live } = await platform.account();
    const wrong = [
      {},
      { note: 'Nobody.' },
      { email: 'ada@example.com', phone: '+4915123456789' },
      { email: 'ada' },
      { email: null },
      { phone: '015123456789' },
      { phone: '+49' },
      { email: 'ada@example.com', note: 'n'.repeat(501) },
      { email: 'ada@example.com', reason: 'bounce' },
    ];
    for (const input of wrong)
      expect(await svc.refusal('audience.suppression.add', input), JSON.stringify(input)).to.include({
        status: 400,
        code: 'invalid_input',
      });
    expect(await eventsOf(platform, live, 'audience.')).to.deep.equal([]);
  });

  it('adds one suppression under concurrent calls on two nodes', async () => {
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const answers = await concurrently((index) =>
      (index % 2 ? svc : other).call('audience.suppression.add', { email: 'ada@example.com', note: `Racer ${index}` }),
    );
    expect(new Set(answers.map(({ suppression }) => JSON.stringify(suppression)))).to.have.property('size', 1);
    expect(await eventsOf(platform, live, 'audience.suppression.added')).to.have.length(1);
  });

  it('applies to its own environment only', async () => {
    const { svc, svcTest } = await platform.account();
    await svc.call('audience.suppression.add', { email: 'ada@example.com' });
    expect((await svcTest.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
    await contactOf(svcTest);
    const { suppressions } = await svcTest.call('audience.contact.get', { email: 'ada@example.com' });
    expect(suppressions).to.deep.equal([]);
  });
});
