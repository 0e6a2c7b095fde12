import { expect } from 'chai';
import { dashboardKeyText } from '#plugins/developers/keys/dashboard-key.js';
import { createVault } from '#core/runtime/secrets/vault.js';
import { atOwnShard } from '#core/runtime/shard.js';
import { dashboardOf } from '#test/account/dashboard/support.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('The publishable key of the dashboard', () => {
  needProducts('auth');
  const platform = usePlatform();
  const described = async (): Promise<{ environmentId: string; publishableKey: string }> => {
    const { text } = await platform.api.raw(atOwnShard('/openapi.json'), undefined, { method: 'GET' });
    const found = at(JSON.parse(text), 'x-svc-dashboard');
    return {
      environmentId: String(at(found, 'environmentId')),
      publishableKey: String(at(found, 'publishableKey')),
    };
  };

  it('is in /openapi.json, with the environment that it belongs to', async () => {
    const { environmentId, publishableKey } = await described();
    expect(environmentId).to.equal((await dashboardOf(platform)).id);
    expect(publishableKey).to.match(/^svc_live_pk[A-Za-z0-9]{40}$/);
  });

  it('is a publishable key like any other', async () => {
    const { publishableKey } = await described();
    const refused = await platform.api.refusal('account.get', {}, { key: publishableKey });
    expect(refused).to.include({ status: 403, code: 'secret_key_required' });
    const listed = await platform.api.raw('/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {
      key: publishableKey,
      headers: { Accept: 'application/json, text/event-stream' },
    });
    expect(listed.status).to.equal(200);
  });

  it('is the same after a restart and on every node, and has no row', async () => {
    const before = await described();
    await platform.restart();
    expect(await described()).to.deep.equal(before);
    const node = await platform.secondNode();
    expect(await node.as(before.publishableKey).refusal('account.get', {})).to.include({ code: 'secret_key_required' });
    await node.stop();
    const rows = `environment_id = UNHEX('${before.environmentId.replaceAll('-', '')}')`;
    expect(await platform.count('developers_key', rows)).to.equal(0);
  });

  it('differs between deployments and environments', () => {
    const [one, two] = [createVault(Buffer.alloc(32, 1)), createVault(Buffer.alloc(32, 2))];
    const keys = [dashboardKeyText(one, 'a'), dashboardKeyText(two, 'a'), dashboardKeyText(one, 'b')];
    expect(new Set(keys).size).to.equal(3);
  });

  it('is not taken for another one that is nearly the same', async () => {
    const { publishableKey } = await described();
    const other = `${publishableKey.slice(0, -1)}${publishableKey.endsWith('A') ? 'B' : 'A'}`;
    expect(await platform.api.refusal('account.get', {}, { key: other })).to.include({ code: 'unauthenticated' });
  });
});
