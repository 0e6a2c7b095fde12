import { expect } from 'chai';
import { Svc } from '#core/surfaces/sdk/index.js';
import { tellStory } from '#scripts/demo/story.js';
import { needProducts } from '#test/support/products.js';
import { usePlatform } from '#test/support/platform.js';

describe('npm run demo', function () {
  this.timeout(120_000);
  needProducts('account', 'developers', 'audience', 'email', 'auth');
  const platform = usePlatform();

  it('fills an account with customers, newsletters, orders, a welcome series and users', async () => {
    const { svc: team, keys, projectId } = await platform.account();
    const client = (apiKey: string): Svc => new Svc({ baseUrl: platform.running.address, apiKey });
    const said: string[] = [];
    await tellStory(
      {
        svc: client(keys.live.secret),
        app: client(keys.live.publishable),
        projectId,
        advance: (ms) => platform.clock.advance(ms),
        settled: () => platform.settled(),
        say: (line) => void said.push(line),
      },
      { weeks: 1, customersAtFirst: 30, customersAWeek: 5 },
    );
    expect(said.at(-1)).to.equal('Week 1 of 1: 35 customers.');
    const { broadcasts } = await team.call('email.broadcast.list', {});
    expect(broadcasts.map(({ status, counts }) => [status, counts?.sent])).to.deep.equal([['sent', 35]]);
    const { segments } = await team.call('audience.segment.list', {});
    expect(segments.map(({ name }) => name)).to.have.members(['Subscribers', 'Ten orders or more']);
    const { automations } = await team.call('email.automation.list', {});
    expect(automations.map(({ name, status }) => [name, status])).to.deep.equal([['Welcome series', 'active']]);
    const { users } = await team.call('auth.user.list', {});
    expect(users).to.have.length(7);
    const { messages } = await team.call('email.message.list', { limit: 100 });
    const templates = new Set(messages.map(({ template }) => template));
    expect([...templates]).to.include.members(['newsletter', 'order.shipped', 'welcome']);
  });
});
