import { expect } from 'chai';
import { useTexts } from '../support.js';
import { draft, mobile, problemsOf, reached, subscribe, texter } from './support.js';

describe('How many contacts one broadcast of texts may go to', () => {
  const { platform } = useTexts(() => Promise.resolve({ SVC_BROADCAST_RECIPIENTS: '2' }));

  it('a draft for more is refused, its readiness says so, and one for a segment is sent', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await subscribe(account, [mobile(1), mobile(2)], { properties: { plan: 'pro' } });
    await subscribe(account, [mobile(3)]);
    const { broadcast, readiness } = await svc.call('sms.broadcast.create', draft());
    expect(problemsOf({ readiness })).to.deep.equal(['audience_too_large']);
    const refused = await svc.refusal('sms.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.include({ status: 400, code: 'audience_too_large' });
    expect(refused.fix).to.contain('segmentId');
    const definition = { field: 'properties.plan', op: 'eq', value: 'pro' };
    const { segment } = await svc.call('audience.segment.create', { name: 'Pros', definition });
    const smaller = await svc.call('sms.broadcast.create', draft({ segmentId: segment.id }));
    await svc.call('sms.broadcast.send', { broadcastId: smaller.broadcast.id });
    await reached(account, smaller.broadcast.id, 'sent');
  });
});
