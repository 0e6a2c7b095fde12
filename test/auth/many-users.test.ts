import { expect } from 'chai';
import { fillUsers } from '#scripts/bench/sized/many-users/fill.js';
import { modelUser, rowsRead, sharedReads } from '#scripts/bench/sized/many-users/reads.js';
import type { Place } from '#scripts/bench/sized/own-platform.js';
import { isRecord } from '#scripts/bench/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('Sign-ins, sessions and lists of users', () => {
  needProducts('email');
  const platform = usePlatform({ settings: () => ({ SVC_ROLE: 'api' }) });

  it('read no more rows among 20,000 users with 60,000 sessions than among 1,000', async function () {
    skipOnVitess(this, 'counters of one connection');
    this.timeout(180_000);
    const { live, keys } = await platform.account();
    const { services } = platform.running;
    const place: Place = {
      services,
      environment: live,
      async call(as, operation, input) {
        const key = as === 'app' ? keys.live.publishable : keys.live.secret;
        const path = `/${operation.replaceAll('.', '/')}`;
        const { status, text } = await platform.api.raw(path, JSON.stringify(input), { key });
        if (status !== 200) throw new Error(`${operation} answered ${status}: ${text}`);
        const body: unknown = JSON.parse(text);
        return isRecord(body) ? body['result'] : undefined;
      },
    };
    const limit = { max: 100, windowSeconds: 60 };
    await place.call('server', 'auth.settings.set', { rateLimits: { startPerIdentifier: limit, startPerIp: limit } });
    const model = await modelUser(place);
    await fillUsers(services.database, model, { from: 0, to: 1_000 });
    const few = await rowsRead(place, 'few', model);
    await fillUsers(services.database, model, { from: 1_000, to: 20_000 });
    expect(await platform.count('auth_session')).to.be.greaterThan(60_000);
    const many = await rowsRead(place, 'many', model);
    for (const [name, count] of few) expect(many.get(name), name).to.be.at.most(count + sharedReads);
  });
});
