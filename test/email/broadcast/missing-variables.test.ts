import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { draft, problemsOf, publish, publisher, reached, sendBroadcast, shown, subscribe } from './support.js';

describe('A broadcast whose template uses properties of contacts', () => {
  const platform = usePlatform();

  /** Three subscribers, one of them with a plan, and somebody with a plan who did not subscribe. */
  const audience = async (text: string) => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text } });
    await subscribe(sender, ['ada@plan.example', 'bob@plan.example']);
    await subscribe(sender, ['cy@plan.example'], { properties: { plan: 'pro' } });
    await sender.svc.call('audience.contact.upsert', { email: 'dan@plan.example', properties: { plan: 'pro' } });
    return sender;
  };

  it('is not ready while eligible contacts lack one that others have; the reply counts them and names the ways', async () => {
    const sender = await audience('Your plan: {{ plan }}');
    const { svc } = sender;
    const { broadcast, readiness } = await svc.call('email.broadcast.create', draft(sender));
    expect(readiness.problems.map(({ code, message }) => [code, message])).to.deep.equal([
      ['variables_missing', '2 of 3 eligible contacts have no plan.'],
    ]);
    for (const way of [
      'audience.contact.upsert or audience.contact.import',
      'variables with email.broadcast.update',
      '{{ plan | default: "…" }}',
      '{"field": "properties.plan", "op": "exists"}',
    ])
      expect(readiness.problems[0]?.fix).to.contain(way);
    const refused = await svc.refusal('email.broadcast.send', { broadcastId: broadcast.id });
    expect(refused.code).to.equal('broadcast_not_ready');
  });

  it('is ready with each of the ways that the fix names', async () => {
    const sender = await audience('Your plan: {{ plan }}');
    const { svc } = sender;
    const ready = async (given: Parameters<typeof draft>[1] = {}): Promise<string[]> =>
      problemsOf(await svc.call('email.broadcast.create', draft(sender, given)));
    expect(await ready({ variables: { plan: 'free' } })).to.deep.equal([]);
    const definition = { field: 'properties.plan', op: 'exists' };
    const { segment } = await svc.call('audience.segment.create', { name: 'With a plan', definition });
    expect(await ready({ segmentId: segment.id })).to.deep.equal([]);
    await publish(sender, { en: { subject: 'News', text: '{{ plan | default: "free" }}' } }, { name: 'default' });
    expect(await ready({ template: 'default' })).to.deep.equal([]);
    for (const email of ['ada@plan.example', 'bob@plan.example'])
      await svc.call('audience.contact.upsert', { email, properties: { plan: 'free' } });
    expect(await ready()).to.deep.equal([]);
  });

  it('needs nothing that a text can do without: under a condition, or in one of its languages only', async () => {
    const sender = await audience('{% if plan %}{{ plan }}{% endif %}');
    const { svc } = sender;
    await svc.call('audience.contact.upsert', { email: 'dan@plan.example', properties: { town: 'Bonn' } });
    const texts = ['{% if town %}{{ plan }}{% endif %}', '{% unless town %}{{ plan }}{% endunless %}'];
    for (const [index, text] of texts.entries()) {
      await publish(sender, { en: { subject: 'News', text } }, { name: `conditional${index}` });
      const created = await svc.call('email.broadcast.create', draft(sender, { template: `conditional${index}` }));
      expect(problemsOf(created), text).to.deep.equal([]);
    }
    await publish(
      sender,
      { en: { subject: 'News', text: 'Hello' }, de: { subject: 'Neues', text: '{{ plan }}' } },
      { name: 'languages' },
    );
    expect(
      problemsOf(await svc.call('email.broadcast.create', draft(sender, { template: 'languages' }))),
    ).to.deep.equal([]);
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 3, failed: 0 });
  });

  it('tells a property that the broadcast’s variables cannot give', async () => {
    const sender = await audience('{{ contact.properties.plan }}');
    const { readiness } = await sender.svc.call(
      'email.broadcast.create',
      draft(sender, { variables: { plan: 'free' } }),
    );
    expect(readiness.problems.map(({ message }) => message)).to.deep.equal([
      '2 of 3 eligible contacts have no contact.properties.plan.',
    ]);
    expect(readiness.problems[0]?.fix).not.to.contain('in variables');
  });
});
