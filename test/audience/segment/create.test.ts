import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf, concurrently } from '../support.js';
import { segmentOf } from './support.js';

describe('audience.segment.create', () => {
  const platform = usePlatform();

  it('saves a definition as it was sent, with the number of its members now, one audit record and one event', async () => {
    const { svc, live } = await platform.account();
    await contactOf(svc, { email: 'ada@example.com', properties: { plan: 'pro' } });
    await contactOf(svc, { email: 'bob@example.com', properties: { plan: 'free' } });
    const definition = {
      any: [
        { field: 'properties.plan', op: 'eq', value: 'pro' },
        { field: 'phone', op: 'exists' },
      ],
    };
    const { activityId, result } = await svc.envelope('audience.segment.create', { name: 'Pros', definition });
    const { segment, estimate } = result;
    expect(estimate).to.equal(1);
    const now = platform.clock.now().toISOString();
    expect(segment).to.deep.equal({ id: segment.id, name: 'Pros', definition, createdAt: now, updatedAt: now });
    const audit = await auditOf(platform, activityId);
    expect(audit).to.deep.include({
      operation: 'audience.segment.create',
      subject: `segment ${segment.id}`,
      personId: null,
      summary: 'Created the segment “Pros”.',
    });
    expect(JSON.stringify(audit.changes)).to.match(
      /^\[\{"field":"name","from":null,"to":"Pros"\},\{"field":"definition","from":null,"to":"digest [0-9a-f]{32}"\}\]$/,
    );
    expect(await eventsOf(platform, live, 'audience.segment')).to.deep.equal([
      { type: 'audience.segment.created', subjectId: segment.id, personId: null, activityId, data: { segment } },
    ]);
    expect((await svc.call('audience.segment.get', { segmentId: segment.id })).segment).to.deep.equal(segment);
  });

  it('accepts an unknown topic, to which nobody has consented', async () => {
    const { svc } = await platform.account();
    await contactOf(svc);
    const definition = { field: 'consent.email.gone', op: 'eq', value: 'granted' };
    expect((await segmentOf(svc, { definition })).estimate).to.equal(0);
  });

  it('refuses a blank name', async () => {
    const { svc } = await platform.account();
    const definition = { field: 'email', op: 'exists' };
    const refused = await svc.refusal('audience.segment.create', { name: ' \u00a0', definition });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.message).to.equal('The field “name” must not be blank.');
  });

  it('refuses a name that another segment of the environment has, in any case and Unicode form', async () => {
    const { svc, svcTest } = await platform.account();
    await segmentOf(svc, { name: 'Café' });
    for (const name of ['Café', 'CAFÉ', ' café ', 'Cafe\u0301']) {
      const refused = await svc.refusal('audience.segment.create', {
        name,
        definition: { field: 'email', op: 'exists' },
      });
      expect(refused, name).to.include({ status: 409, code: 'name_taken' });
    }
    await segmentOf(svcTest, { name: 'Café' });
  });

  it('creates one segment of a name under concurrent calls', async () => {
    const { svc } = await platform.account();
    const outcomes = await concurrently(() =>
      segmentOf(svc, { name: 'Once' }).then(
        () => 'made',
        (error: unknown) => (/name_taken/.test(String(error)) ? 'name_taken' : String(error)),
      ),
    );
    expect(outcomes.filter((each) => each === 'made')).to.have.lengthOf(1);
    expect(outcomes.filter((each) => each === 'name_taken')).to.have.lengthOf(outcomes.length - 1);
  });

  it('allows 500 per environment, without deleted ones, also under concurrent calls', async () => {
    const { svc, live } = await platform.account();
    const now = platform.clock.now();
    const rows = Array.from({ length: 499 }, (_, index) => ({
      id: idBytes(newId()),
      environment_id: idBytes(live.id),
      name: `Segment ${index}`,
      name_key: Buffer.from(`segment ${index}`),
      definition: '{"field":"email","op":"exists"}',
      created_at: now,
      updated_at: now,
    }));
    await platform.running.services.database.run(insertInto('audience_segment', rows));
    const outcomes = await concurrently((index) =>
      segmentOf(svc, { name: `Racer ${index}` }).then(
        ({ segment }) => segment.id,
        (error: unknown) => (/limit_reached/.test(String(error)) ? 'limit_reached' : String(error)),
      ),
    );
    const [made] = outcomes.filter((each) => each !== 'limit_reached');
    expect(outcomes.filter((each) => each === 'limit_reached')).to.have.lengthOf(outcomes.length - 1);
    const refused = await svc.refusal('audience.segment.create', {
      name: 'Last',
      definition: { field: 'email', op: 'exists' },
    });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    await svc.call('audience.segment.delete', { segmentId: made ?? '' });
    await segmentOf(svc, { name: 'Last' });
  });
});
