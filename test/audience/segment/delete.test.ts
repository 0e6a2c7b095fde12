import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { audienceReferences } from '#plugins/audience/ports.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { refusalBody } from '../../account/support.js';
import { auditCount, auditOf, eventsOf } from '../support.js';
import { segmentOf } from './support.js';

describe('audience.segment.delete', () => {
  const platform = usePlatform();

  const inPort = async (
    { live }: TestAccount,
    work: (port: {
      markReferenced(segmentId: string, broadcastId: string): Promise<void>;
      freeReferences(broadcastId: string): Promise<void>;
    }) => Promise<void>,
  ): Promise<void> =>
    platform.running.services.transaction('Test', async ({ use, actIn, audit }) => {
      actIn(live);
      const { markReferenced, freeReferences } = use(audienceReferences);
      await work({
        freeReferences,
        markReferenced: (segmentId, id) => markReferenced(live.id, { segmentId }, { type: 'broadcast', id }),
      });
      audit({ operation: 'account.signup', summary: 'Used by a test.' });
    });

  it('deletes the segment and frees its name, with one event', async () => {
    const { svc, live } = await platform.account();
    const { segment } = await segmentOf(svc);
    const { activityId, result } = await svc.envelope('audience.segment.delete', { segmentId: segment.id });
    expect(result).to.deep.equal({ segment });
    expect(await auditOf(platform, activityId)).to.deep.include({
      subject: `segment ${segment.id}`,
      summary: 'Deleted the segment “Pros”.',
    });
    expect(await eventsOf(platform, live, 'audience.segment.deleted')).to.deep.equal([
      { type: 'audience.segment.deleted', subjectId: segment.id, personId: null, activityId, data: { segment } },
    ]);
    expect((await svc.call('audience.segment.list', {})).segments).to.deep.equal([]);
    for (const operation of ['audience.segment.get', 'audience.contact.list'] as const)
      expect(await svc.refusal(operation, { segmentId: segment.id })).to.include({ status: 404, code: 'not_found' });
    const { segment: next } = await segmentOf(svc);
    expect(next.id).not.to.equal(segment.id);
  });

  it('answers a repeat as done, with its own audit record and no event, even when another segment has the name', async () => {
    const { svc, live } = await platform.account();
    const { segment } = await segmentOf(svc);
    const first = await svc.call('audience.segment.delete', { segmentId: segment.id });
    await segmentOf(svc);
    expect(await svc.call('audience.segment.delete', { segmentId: segment.id })).to.deep.equal(first);
    expect(await eventsOf(platform, live, 'audience.segment.deleted')).to.have.lengthOf(1);
    expect(await auditCount(platform, live, 'audience.segment.delete')).to.equal(2);
    expect((await svc.call('audience.segment.list', {})).segments).to.have.lengthOf(1);
  });

  it('is refused while broadcasts use it, and allowed once they have freed it', async () => {
    const account = await platform.account();
    const { segment } = await segmentOf(account.svc);
    const [one, two] = [newId(), newId()];
    await inPort(account, async ({ markReferenced }) => {
      await markReferenced(segment.id, one);
      await markReferenced(segment.id, two);
    });
    const refused = await account.svc.refusal('audience.segment.delete', { segmentId: segment.id });
    expect(refused).to.include({ status: 409, code: 'segment_in_use' });
    expect(refused.message).to.contain('2 broadcasts');
    expect((await account.svc.call('audience.segment.get', { segmentId: segment.id })).segment).to.deep.equal(segment);
    await inPort(account, async ({ freeReferences }) => {
      await freeReferences(one);
      await freeReferences(two);
    });
    await account.svc.call('audience.segment.delete', { segmentId: segment.id });
    // A deleted segment cannot be used.
    const used = inPort(account, ({ markReferenced }) => markReferenced(segment.id, newId()));
    expect(
      await used.then(
        () => 'used',
        (error: unknown) => String(error),
      ),
    ).to.match(/no such segment/i);
  });

  it('answers alike for another environment’s segment and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const { segment } = await segmentOf(svcTest);
    const unknown = refusalBody(await svc.refusal('audience.segment.delete', { segmentId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    expect(refusalBody(await svc.refusal('audience.segment.delete', { segmentId: segment.id }))).to.deep.equal(unknown);
    await svcTest.call('audience.segment.get', { segmentId: segment.id });
  });
});
