import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { ownShard, setOwnShard } from '#core/runtime/shard.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

/** Makes something as a shard does that no node of the tests knows. */
function ofShard(shard: number, make: () => string): string {
  const own = ownShard();
  setOwnShard(shard);
  const made = make();
  setOwnShard(own, own !== 1);
  return made;
}

describe('A node that does not know a shard', () => {
  const platform = usePlatform();
  const id = ofShard(57, newId);
  const token = ofShard(57, () => randomToken(43));

  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${platform.running.address}${path}`, { redirect: 'manual', ...init });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  };
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
  const expectLater = ({ status, retryAfter, text }: Awaited<ReturnType<typeof ask>>, what: string): void => {
    expect([status, retryAfter], `${what}: ${text}`).to.deep.equal([503, '30']);
    expect(text, what).to.contain('does not know shard 57');
  };

  it('asks to try again, whatever names it: a key, an environment, a path, a query', async () => {
    expectLater(await post('/v1/account/get', '{}', { Authorization: `Bearer svc_live_${token}` }), 'key');
    const { svc } = await platform.account();
    expectLater(await post('/v1/account/get', '{}', { 'Svc-Environment': id }), 'environment');
    expectLater(await ask(`/auth/jwks/${id}`), 'jwks');
    expectLater(await ask(`/v1/auth/jwks/${id}`), 'jwks with version');
    expectLater(await ask(`/auth/${id}/signin`), 'page');
    expectLater(await post(`/v1/inbound/ingest?shard=57`, '{}'), 'shard parameter');
    await svc.call('account.get', {});
  });

  itNeeding('audience')('asks to try again for a one-click unsubscribe and for a token in the input', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expectLater(await post(`/unsubscribe?token=${id}.x`, 'List-Unsubscribe=One-Click', form), 'unsubscribe');
    expectLater(await post('/v1/audience/preferences/get', JSON.stringify({ token: `svc_iv_${token}` })), 'token');
  });

  it('answers what svc did not make as before', async () => {
    const key = { Authorization: `Bearer svc_live_${'x'.repeat(43)}` };
    expect((await post('/v1/account/get', '{}', key)).status).to.equal(401);
    expect((await ask('/auth/jwks/0190b7a5-0000-7000-8000-000000000039')).status).to.equal(404);
    expect((await ask('/healthz')).status).to.equal(200);
    // A client that claims that the call was passed on is answered.
    expect((await post('/v1/account/get', '{}', { ...key, 'Svc-Shard': '57' })).status).to.equal(401);
  });
});
