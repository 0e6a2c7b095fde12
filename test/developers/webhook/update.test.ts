import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf, refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { endpointAt, rename, typesOf, useReceivers, written, quiet } from './support.js';

const url = 'https://127.0.0.1:1/svc';

describe('developers.webhook.update', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('changes only the given fields, with one event and one audit record of old and new values', async () => {
    const account = await platform.account();
    const made = await account.svc.call('developers.webhook.create', { url, description: 'Orders' });
    const { endpointId } = made.endpoint;
    platform.clock.advance(minutes(1));
    const { activityId, result } = await account.svc.envelope('developers.webhook.update', {
      endpointId,
      url: `${url}/2`,
      eventTypes: ['account.*'],
    });
    expect(result.endpoint).to.deep.equal({
      ...made.endpoint,
      url: `${url}/2`,
      eventTypes: ['account.*'],
      updatedAt: platform.clock.now().toISOString(),
    });
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'developers.webhook.update',
      subjectId: endpointId,
      changes: [
        { field: 'url', from: url, to: `${url}/2` },
        { field: 'eventTypes', from: [], to: ['account.*'] },
      ],
    });
    expect((await platform.events(account.live)).at(-1)).to.deep.equal({
      type: 'developers.webhook.updated',
      subjectId: endpointId,
      activityId,
      data: { endpoint: result.endpoint },
    });
    expect((await account.svc.call('developers.webhook.get', { endpointId })).endpoint).to.deep.equal(result.endpoint);
  });

  it('removes the description with null, and the filter with an empty list', async () => {
    const { svc } = await platform.account();
    const { endpoint } = await svc.call('developers.webhook.create', {
      url,
      description: 'O',
      eventTypes: ['account.*'],
    });
    const { endpointId } = endpoint;
    const changed = await svc.call('developers.webhook.update', { endpointId, description: null, eventTypes: [] });
    expect(changed.endpoint).to.deep.include({ description: null, eventTypes: [], url });
  });

  it('accepts a repeat without event or new updatedAt, and writes an audit record', async () => {
    const account = await platform.account();
    const { endpoint } = await account.svc.call('developers.webhook.create', { url });
    const input = { endpointId: endpoint.endpointId, description: 'Orders' };
    const first = await account.svc.envelope('developers.webhook.update', input);
    const events = await platform.events(account.live);
    platform.clock.advance(minutes(1));
    const second = await account.svc.envelope('developers.webhook.update', input);
    expect(second.result).to.deep.equal(first.result);
    expect(second.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, second.activityId)).to.deep.include({ changes: [] });
    expect(await platform.events(account.live)).to.deep.equal(events);
  });

  it('applies the new URL also to queued deliveries, and the new filter to later events', async () => {
    const [old, next] = [await receiverOf(), await receiverOf()];
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, old);
    await svcTest.call('developers.webhook.disable', { endpointId });
    await rename(svcTest, 'Queued');
    await quiet(platform);
    await svcTest.call('developers.webhook.update', { endpointId, url: next.url, eventTypes: ['account.theme.reset'] });
    await rename(svcTest, 'Filtered out');
    await svcTest.call('developers.webhook.enable', { endpointId });
    await next.waitFor(1);
    await quiet(platform);
    expect([typesOf(old), typesOf(next)]).to.deep.equal([[], ['account.theme.draft_saved']]);
    expect(next.received[0]?.event.data).to.deep.nested.include({ 'draft.brandName': 'Queued' });
  });

  it('refuses unknown event names, an empty change and an unknown endpoint, and changes nothing', async () => {
    const account = await platform.account();
    const { svcTest } = account;
    const { endpoint } = await svcTest.call('developers.webhook.create', { url });
    const { endpointId } = endpoint;
    await quiet(platform);
    const before = await written(platform, account);
    const change = { endpointId, description: 'New', eventTypes: ['account.update'] };
    const unknown = await svcTest.refusal('developers.webhook.update', change);
    expect(unknown).to.include({ code: 'unknown_event_type', status: 404 });
    expect(unknown.fix).to.contain('Did you mean account.updated?');
    expect((await svcTest.refusal('developers.webhook.update', { endpointId })).code).to.equal('invalid_input');
    const ofNobody = await svcTest.refusal('developers.webhook.update', { endpointId: newId(), description: '' });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    const ofLive = await account.svc.refusal('developers.webhook.update', { endpointId, description: '' });
    expect(refusalBody(ofLive)).to.deep.equal(refusalBody(ofNobody));
    expect(await written(platform, account)).to.deep.equal(before);
    expect((await svcTest.call('developers.webhook.get', { endpointId })).endpoint).to.deep.equal(endpoint);
  });
});
