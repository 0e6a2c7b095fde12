import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { refusalBody } from '../../account/support.js';
import { auditOf, contactOf, eventsOf } from '../support.js';
import { segmentOf } from './support.js';

const everybody = { field: 'email', op: 'exists' };

describe('audience.segment.update', () => {
  const platform = usePlatform();

  it('renames a segment and keeps its definition', async () => {
    const { svc, live } = await platform.account();
    const { segment: before } = await segmentOf(svc);
    platform.clock.advance(1_000);
    const { activityId, result } = await svc.envelope('audience.segment.update', {
      segmentId: before.id,
      name: 'Paying',
    });
    expect(result.segment).to.deep.equal({ ...before, name: 'Paying', updatedAt: platform.clock.now().toISOString() });
    expect(await auditOf(platform, activityId)).to.deep.include({
      subject: `segment ${before.id}`,
      summary: 'Changed the segment “Paying”.',
      changes: [{ field: 'name', from: 'Pros', to: 'Paying' }],
    });
    expect((await eventsOf(platform, live, 'audience.segment.updated')).map(({ data }) => data)).to.deep.equal([
      { segment: result.segment },
    ]);
  });

  it('changes the definition, and so the members', async () => {
    const { svc } = await platform.account();
    await contactOf(svc);
    const { segment, estimate } = await segmentOf(svc);
    expect(estimate).to.equal(0);
    const { activityId, result } = await svc.envelope('audience.segment.update', {
      segmentId: segment.id,
      definition: everybody,
    });
    expect(result).to.deep.include({ estimate: 1 });
    expect(result.segment.definition).to.deep.equal(everybody);
    expect((await svc.call('audience.contact.list', { segmentId: segment.id })).contacts).to.have.lengthOf(1);
    const { summary, changes } = await auditOf(platform, activityId);
    expect(summary).to.equal('Changed the definition of the segment “Pros”.');
    // Definitions may name people, so the audit record shows only that they differ.
    expect(JSON.stringify(changes)).to.match(
      /^\[\{"field":"definition","from":"digest [0-9a-f]{32}","to":"digest [0-9a-f]{32}"\}\]$/,
    );
  });

  it('answers a repeat as done: its own audit record, no event, the same segment', async () => {
    const { svc, live } = await platform.account();
    const { segment } = await segmentOf(svc);
    const input = { segmentId: segment.id, name: 'Again', definition: everybody };
    const first = await svc.envelope('audience.segment.update', input);
    platform.clock.advance(1_000);
    const again = await svc.envelope('audience.segment.update', input);
    expect(again.result).to.deep.equal(first.result);
    expect(again.activityId).not.to.equal(first.activityId);
    expect(await eventsOf(platform, live, 'audience.segment.updated')).to.have.lengthOf(1);
  });

  it('refuses another segment’s name, accepts its own in another case, and requires a change', async () => {
    const { svc } = await platform.account();
    const { segment } = await segmentOf(svc);
    await segmentOf(svc, { name: 'Other' });
    const refused = await svc.refusal('audience.segment.update', { segmentId: segment.id, name: 'OTHER' });
    expect(refused).to.include({ status: 409, code: 'name_taken' });
    expect((await svc.call('audience.segment.update', { segmentId: segment.id, name: 'PROS' })).segment.name).to.equal(
      'PROS',
    );
    expect(await svc.refusal('audience.segment.update', { segmentId: segment.id })).to.include({
      code: 'invalid_input',
    });
  });

  it('answers alike for another environment’s segment, a deleted one and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const unknown = refusalBody(await svc.refusal('audience.segment.update', { segmentId: newId(), name: 'Mine' }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    const { segment: theirs } = await segmentOf(svcTest);
    const { segment: gone } = await segmentOf(svc);
    await svc.call('audience.segment.delete', { segmentId: gone.id });
    for (const { id: segmentId } of [theirs, gone])
      expect(refusalBody(await svc.refusal('audience.segment.update', { segmentId, name: 'Mine' }))).to.deep.equal(
        unknown,
      );
  });
});
