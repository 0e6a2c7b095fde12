import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { enabledProducts } from '#test/support/products.js';
import { runSvc, useConfigFolder } from './support.js';

describe('svc: choosing server and key', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const config = useConfigFolder();

  it('login stores both keys of an environment, and logout removes them', async () => {
    const { keys } = await platform.account();
    const { address } = platform.running;
    const firstRun = join(config, 'first-run.json');
    await writeFile(firstRun, JSON.stringify({ baseUrl: address, keys }));
    const login = await runSvc(['login', '--from', firstRun], { config });
    expect(login.stderr).to.match(/test +[^\n]*Acme, test with a publishable key \(used from now on\)/);
    const flags = ['--key', keys.live.secret, '--publishable-key', keys.live.publishable, '--access-token', 'at-1'];
    await runSvc(['login', ...flags, '--profile', 'shop', '--base-url', address], { config });
    const stored: unknown = JSON.parse(await readFile(join(config, 'svc', 'config.json'), 'utf8'));
    const products = enabledProducts(['account', 'audience', 'auth', 'billing', 'developers', 'email', 'sms']);
    expect(stored).to.deep.equal({
      current: 'shop-live',
      profiles: {
        test: { baseUrl: address, products, key: keys.test.secret, publishableKey: keys.test.publishable },
        live: { baseUrl: address, products, key: keys.live.secret, publishableKey: keys.live.publishable },
        'shop-live': {
          baseUrl: address,
          products,
          key: keys.live.secret,
          publishableKey: keys.live.publishable,
          user: { accessToken: 'at-1' },
        },
      },
    });
    const { stdout } = await runSvc(['profiles', '--no-json'], { config });
    expect(stdout).to.contain(keys.live.publishable.slice(0, 13)).and.not.contain(keys.live.publishable);
    const doctor = await runSvc(['doctor'], { config });
    expect(doctor.stdout)
      .to.match(/ok +key +The key/)
      .and.match(/ok +publishable key +/);
    await runSvc(['logout'], { config });
    await runSvc(['logout', '--profile', 'live'], { config });
    expect(await readFile(join(config, 'svc', 'config.json'), 'utf8'))
      .to.contain(keys.test.secret)
      .and.not.contain('svc_live_')
      .and.not.contain('at-1');
  });

  it('login --from says whether the file is missing, unreadable or without keys', async () => {
    const empty = join(config, 'empty.json');
    await writeFile(empty, '{}');
    const said = async (path: string): Promise<unknown[]> => {
      const { code, stderr } = await runSvc(['login', '--from', path], { config });
      return [code, stderr];
    };
    const fix = 'fix: Pass the first-run.json of the server’s state folder (SVC_STATE_DIR, ./var by default).\n';
    const missing = join(config, 'nofile.json');
    expect(await said(missing)).to.deep.equal([2, `The file ${missing} does not exist.\n${fix}`]);
    expect(await said(config)).to.deep.equal([2, `The file ${config} cannot be read (EISDIR).\n${fix}`]);
    expect(await said(empty)).to.deep.equal([2, `${empty} contains no keys.\n${fix}`]);
  });

  it('login accepts only a publishable key, and refuses a secret key in its place', async () => {
    const { keys } = await platform.account();
    const login = (...words: string[]) =>
      runSvc(['login', ...words, '--base-url', platform.running.address], { config });
    expect((await login('--key', keys.test.publishable)).code).to.equal(0);
    const secret = await runSvc(['whoami'], { config });
    expect([secret.code, secret.stderr]).to.satisfy(
      ([code, said]: [number, string]) => code === 3 && said.startsWith('No secret key'),
    );
    const wrong = await login('--key', keys.test.secret, '--publishable-key', keys.test.secret);
    expect([wrong.code, wrong.stderr]).to.satisfy(
      ([code, said]: [number, string]) => code === 2 && said.startsWith('This is not a publishable key'),
    );
    expect((await login('--publishable-key', `${keys.test.publishable.slice(0, -1)}!`)).code).to.equal(3);
  });

  it('an empty SVC_API_KEY is refused where a profile’s key would be used in its place', async () => {
    const { keys } = await platform.account();
    const { address } = platform.running;
    await runSvc(['login', '--key', keys.test.secret, '--base-url', address], { config });
    const empty = await runSvc(['account', 'get'], { config, env: { SVC_API_KEY: '' } });
    expect([empty.code, empty.stdout]).to.deep.equal([3, '']);
    expect(empty.stderr).to.match(
      /^SVC_API_KEY is set and empty\.\nfix: Set it to a key\. To use the profile test, unset it/,
    );
    const meant = await runSvc(['account', 'get', '--profile', 'test'], { config, env: { SVC_API_KEY: '' } });
    expect(meant.code, meant.stderr).to.equal(0);
  });

  it('the server’s address comes from --base-url, --profile, SVC_API_URL or the current profile, in this order', async () => {
    const { keys } = await platform.account();
    const { address } = platform.running;
    await runSvc(['login', '--key', keys.test.secret, '--base-url', address], { config });
    const nowhere = 'http://127.0.0.1:1';
    const variables = { SVC_API_URL: nowhere };
    const answered = async (words: string[], env: Record<string, string>): Promise<boolean> => {
      const { code } = await runSvc(['account', 'get', '--json', ...words], { config, env });
      return code === 0;
    };
    expect(await answered([], {})).to.equal(true);
    expect(await answered([], variables)).to.equal(false);
    expect(await answered(['--profile', 'test'], variables)).to.equal(true);
    expect(await answered(['--base-url', address], variables)).to.equal(true);
    expect(await answered(['--base-url', nowhere, '--profile', 'test'], {})).to.equal(false);
    const variable = await runSvc(['account', 'get', '--json'], {
      key: keys.live.secret,
      env: { SVC_API_URL: address },
    });
    expect(variable.code, variable.stderr).to.equal(0);
  });
});
