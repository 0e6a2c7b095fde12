import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { usePlainUser } from '#test/support/read-only.js';
import { needPlainServer } from '#test/support/vitess.js';

describe('A primary database that became read-only', () => {
  needPlainServer('users and SET GLOBAL');
  const platform = usePlatform({ databaseUrl: (given) => plain.create(given) });
  const plain = usePlainUser();
  const { setReadOnly } = plain;
  afterEach(() => setReadOnly(false));

  const ready = async (): Promise<[number, string]> => {
    const { status, text } = await platform.api.raw('/readyz', undefined, { method: 'GET' });
    return [status, text];
  };

  it('makes calls answer unavailable and /readyz 503, until a primary takes changes again', async () => {
    const { svc } = await platform.account();
    expect(await ready()).to.deep.equal([200, 'ready\n']);
    await setReadOnly(true);
    const refused = await svc.refusal('account.project.create', { name: 'Another' });
    expect([refused.status, refused.code]).to.deep.equal([503, 'unavailable']);
    expect(refused.message).to.contain('its database takes no changes');
    const [status, text] = await ready();
    expect(status).to.equal(503);
    expect(text).to.contain('read-only');
    await setReadOnly(false);
    expect(await ready()).to.deep.equal([200, 'ready\n']);
    await svc.call('account.project.create', { name: 'Another' });
    expect(platform.logLines.filter((line) => line.includes('"a request failed"'))).to.deep.equal([]);
  });
});
