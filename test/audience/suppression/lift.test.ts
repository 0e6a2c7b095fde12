import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf, concurrently } from '../support.js';
import { suppress } from './support.js';

describe('audience.suppression.lift', () => {
  const platform = usePlatform();

  it('lifts a suppression, and stores the note where erasing the person finds it', async () => {
    const { svc, live } = await platform.account();
    const contact = await contactOf(svc);
    const { suppression } = await svc.call('audience.suppression.add', { email: 'ada@example.com', note: 'Asked.' });
    platform.clock.advance(hours(1));
    const { activityId, result } = await svc.envelope('audience.suppression.lift', {
      suppressionId: suppression.id,
      note: 'Ada Lovelace asked again.',
    });
    const liftedAt = platform.clock.now().toISOString();
    expect(result.suppression).to.deep.equal({ ...suppression, liftable: false, liftedAt });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.suppression.lift',
      subject: `suppression ${suppression.id}`,
      personId: contact.id,
      summary: 'Lifted the suppression of an address.',
      changes: [
        { field: 'liftedAt', from: null, to: liftedAt },
        { field: 'note', from: null, to: 'Ada Lovelace asked again.' },
      ],
    });
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.deep.equal([
      {
        type: 'audience.suppression.lifted',
        subjectId: suppression.id,
        personId: contact.id,
        activityId,
        data: { suppression: result.suppression },
      },
    ]);
    expect((await svc.call('audience.contact.get', { contactId: contact.id })).suppressions).to.deep.equal([]);
  });

  it('stores no note when no contact has the address, because no erasure would find it', async () => {
    const { svc } = await platform.account();
    const { suppression } = await svc.call('audience.suppression.add', { phone: '+4915123456789' });
    const note = 'Ada Lovelace asked again.';
    const { activityId } = await svc.envelope('audience.suppression.lift', { suppressionId: suppression.id, note });
    expect(await auditOf(platform, activityId)).to.deep.include({
      personId: null,
      summary: 'Lifted the suppression of a number.',
      changes: [
        { field: 'liftedAt', from: null, to: platform.clock.now().toISOString() },
        { field: 'note', from: null, to: '(withheld)' },
      ],
    });
  });

  it('lifts a bounce, and refuses what the person asked for: unsubscribe, complaint, STOP', async () => {
    const { svc, live } = await platform.account();
    const phone = '+4915123456789';
    const email = 'ada@example.com';
    await suppress(platform, live, { channel: 'email', address: email, reason: 'bounce' });
    await suppress(platform, live, { channel: 'email', address: email, reason: 'unsubscribe' });
    await suppress(platform, live, { channel: 'email', address: email, reason: 'complaint' });
    await suppress(platform, live, { channel: 'sms', address: phone, reason: 'stop' });
    const { suppressions } = await svc.call('audience.suppression.list', {});
    expect(suppressions.map(({ reason, liftable }) => [reason, liftable])).to.deep.equal([
      ['stop', false],
      ['complaint', false],
      ['unsubscribe', false],
      ['bounce', true],
    ]);
    const before = await eventsOf(platform, live, 'audience.');
    for (const { id, reason, liftable } of suppressions.filter((each) => !each.liftable)) {
      const refused = await svc.refusal('audience.suppression.lift', { suppressionId: id, note: 'Please.' });
      expect(refused, reason).to.include({ status: 409, code: 'suppression_not_liftable' });
      expect(refused.message).to.contain(reason);
      expect(refused.fix).to.contain('audience.preferences.link');
      expect(liftable).to.equal(false);
    }
    expect(await eventsOf(platform, live, 'audience.')).to.deep.equal(before);
    const bounce = suppressions.find(({ reason }) => reason === 'bounce');
    const lifted = await svc.call('audience.suppression.lift', { suppressionId: bounce?.id ?? '' });
    expect(lifted.suppression?.liftedAt).not.to.equal(null);
    await contactOf(svc, { email, phone });
    const shown = await svc.call('audience.contact.get', { email });
    expect(shown.suppressions.map(({ reason }) => reason)).to.have.members(['unsubscribe', 'complaint', 'stop']);
  });

  it('answers a repeat as done, with its own audit record and no event', async () => {
    const { svc, live } = await platform.account();
    const { suppression } = await svc.call('audience.suppression.add', { email: 'ada@example.com' });
    const first = await svc.envelope('audience.suppression.lift', { suppressionId: suppression.id });
    platform.clock.advance(hours(1));
    const again = await svc.envelope('audience.suppression.lift', { suppressionId: suppression.id, note: 'Again.' });
    expect(again.result).to.deep.equal(first.result);
    expect(await auditOf(platform, again.activityId)).to.include({ subject: `suppression ${suppression.id}` });
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.have.length(1);
  });

  it('lifts once under concurrent calls', async () => {
    const { svc, live } = await platform.account();
    const { suppression } = await svc.call('audience.suppression.add', { email: 'ada@example.com' });
    const answers = await concurrently(() => svc.call('audience.suppression.lift', { suppressionId: suppression.id }));
    expect(new Set(answers.map((each) => JSON.stringify(each)))).to.have.property('size', 1);
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.have.length(1);
  });

  it('leaves at most one active under concurrent adds and lifts, with an event for each change', async () => {
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const email = 'ada@example.com';
    const known = [(await svc.call('audience.suppression.add', { email })).suppression.id];
    for (let round = 0; round < 5; round += 1) {
      await concurrently(async (index) => {
        const api = index % 4 < 2 ? svc : other;
        if (index % 2) known.push((await api.call('audience.suppression.add', { email })).suppression.id);
        else await api.call('audience.suppression.lift', { suppressionId: known.at(-1) ?? '' });
      });
      const { suppressions } = await svc.call('audience.suppression.list', { email, limit: 100 });
      const standing = suppressions.filter(({ liftedAt }) => liftedAt === null);
      const added = await eventsOf(platform, live, 'audience.suppression.added');
      const lifted = await eventsOf(platform, live, 'audience.suppression.lifted');
      expect(standing.length).to.be.at.most(1);
      expect(added).to.have.length(suppressions.length);
      expect(lifted).to.have.length(suppressions.length - standing.length);
    }
    expect((await svc.call('audience.suppression.list', { email, limit: 100 })).suppressions.length).to.be.above(1);
  });

  it('refuses a note that is empty or too long', async () => {
    const { svc } = await platform.account();
    const { suppression } = await svc.call('audience.suppression.add', { email: 'ada@example.com' });
    for (const note of ['', 'n'.repeat(501)])
      expect(await svc.refusal('audience.suppression.lift', { suppressionId: suppression.id, note })).to.include({
        status: 400,
        code: 'invalid_input',
      });
  });

  it('answers alike for another environment’s suppression and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const unknown = refusalBody(await svc.refusal('audience.suppression.lift', { suppressionId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    const { suppression } = await svcTest.call('audience.suppression.add', { email: 'ada@example.com' });
    const theirs = await svc.refusal('audience.suppression.lift', { suppressionId: suppression.id });
    expect(refusalBody(theirs)).to.deep.equal(unknown);
  });
});
