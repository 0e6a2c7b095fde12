import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { atOwnShard, ownShard } from '#core/runtime/shard.js';
import { addMember } from '#test/account/support.js';
import { dashboardSession } from '#test/account/dashboard/support.js';
import { eventually } from '#test/support/eventually.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { resultOf, runSvc, startSvc, useConfigFolder } from './support.js';

describe('svc login without keys', function () {
  this.timeout(120_000);
  needProducts('auth');
  const platform = usePlatform();
  const config = useConfigFolder();
  const path = join(config, 'svc', 'config.json');

  const dashboardKey = async (): Promise<string> => {
    const { text } = await platform.api.raw(atOwnShard('/openapi.json'), undefined, { method: 'GET' });
    return String(at(JSON.parse(text), 'x-svc-dashboard', 'publishableKey'));
  };
  /** Starts `svc login` and waits until it shows its code. */
  const starting = async (...words: string[]) => {
    const child = startSvc(['login', '--base-url', platform.running.address, '--shard', String(ownShard()), ...words], {
      config,
    });
    const seen = { text: '' };
    child.stderr.on('data', (data: Buffer) => (seen.text += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await eventually(() => /enter the code \S+/.test(seen.text), 'the code to be shown', 30_000);
    const userCode = /enter the code (\S+),/.exec(seen.text)?.[1] ?? '';
    return { seen, ended, userCode };
  };

  it('shows a code and an address, waits for the approval in the browser, and keeps the session', async () => {
    const account = await platform.account();
    const person = await dashboardSession(platform, account.ownerEmail);
    const { seen, ended, userCode } = await starting();
    const { baseUrl } = platform.running.services.deployment;
    expect(seen.text).to.contain(`${baseUrl}/auth/`).and.contain(encodeURIComponent(userCode));
    const input = { accessToken: person.accessToken, userCode };
    const key = await dashboardKey();
    const { clientName } = await platform.api.call('auth.device.describe', input, { key });
    expect(clientName).to.match(/^svc command line on /);
    await platform.api.call('auth.device.approve', input, { key });
    expect([await ended, seen.text]).to.satisfy(
      ([code, text]: [number, string]) =>
        code === 0 && text.includes(`as ${account.ownerEmail}`) && text.includes('Acme / ') && text.includes(', test.'),
    );
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    const stored: unknown = JSON.parse(await readFile(path, 'utf8'));
    expect(at(stored, 'current')).to.equal('default');
    expect(at(stored, 'profiles', 'default', 'session')).to.have.all.keys(
      'accessToken',
      'expiresAt',
      'refreshToken',
      'refreshKey',
      'dashboardKey',
      'environment',
    );
    const current = resultOf((await runSvc(['whoami', '--json'], { config })).stdout);
    expect([at(current, 'member', 'email'), at(current, 'environment', 'id')]).to.deep.equal([
      account.ownerEmail,
      account.test.id,
    ]);
  });

  it('takes the environment that --env names, under a profile of its own', async () => {
    const account = await platform.account();
    const email = `viewer-${account.ownerEmail}`;
    await addMember(platform, account, { role: 'viewer', email });
    const person = await dashboardSession(platform, email);
    const { ended, userCode } = await starting('--profile', 'work', '--env', 'acme live');
    const input = { accessToken: person.accessToken, userCode };
    await platform.api.call('auth.device.approve', input, { key: await dashboardKey() });
    expect(await ended).to.equal(0);
    const { stdout } = await runSvc(['whoami', '--profile', 'work', '--json'], { config });
    expect(at(resultOf(stdout), 'environment', 'id')).to.equal(account.live.id);
    const refused = await runSvc(['account', 'update', '--name', 'Mine', '--profile', 'work'], { config });
    expect([refused.code, refused.stderr.includes('permission_required')]).to.deep.equal([3, true]);
  });

  it('ends without a session when the person denies it', async () => {
    const account = await platform.account();
    const person = await dashboardSession(platform, account.ownerEmail);
    const { seen, ended, userCode } = await starting('--profile', 'denied');
    const input = { accessToken: person.accessToken, userCode };
    await platform.api.call('auth.device.deny', input, { key: await dashboardKey() });
    expect([await ended, seen.text.includes('denied')]).to.deep.equal([3, true]);
    expect(at(JSON.parse(await readFile(path, 'utf8').catch(() => '{}')), 'profiles', 'denied')).to.equal(undefined);
  });
});

describe('svc login without keys, where auth is off', function () {
  this.timeout(60_000);
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,developers,email' }) });
  const config = useConfigFolder();

  it('asks for a key', async () => {
    const { code, stderr } = await runSvc(['login', '--base-url', platform.running.address], { config });
    expect([code, stderr.startsWith('No key was given.')]).to.deep.equal([2, true]);
  });
});
