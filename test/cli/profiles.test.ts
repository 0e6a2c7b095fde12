import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { resultOf, runSvc, useConfigFolder } from './support.js';

describe('svc login, whoami and profiles', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const config = useConfigFolder();
  const path = join(config, 'svc', 'config.json');

  it('store keys in a file of mode 0600 and use them for calls', async () => {
    const { keys, ownerEmail } = await platform.account();
    const { address } = platform.running;
    expect(ownerEmail).to.be.a('string');
    const bad = await runSvc(['login', '--key', 'svc_test_wrong', '--base-url', address], { config });
    expect([bad.code, bad.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.startsWith('unauthenticated'),
    );
    expect(bad.stderr, 'its fix is for people at a command line')
      .to.contain('fix: Pass a key of this server that is not revoked, with `svc login --key <key>` or in SVC_API_KEY.')
      .and.contain('svc login --from var/first-run.json')
      .and.not.contain('Authorization');
    await stat(path).then(
      () => expect.fail('a key that the server refused was kept'),
      () => undefined,
    );

    const login = await runSvc(['login', '--key', '-', '--base-url', address], {
      config,
      stdin: `${keys.test.secret}\n`,
    });
    expect(login.code, login.stderr).to.equal(0);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);

    const firstRun = join(config, 'first-run.json');
    await writeFile(firstRun, JSON.stringify({ baseUrl: address, keys }));
    const second = await runSvc(['login', '--from', firstRun, '--live'], { config });
    expect(second.stderr).to.match(/live +[^\n]*Acme, live with a publishable key \(used from now on\)/);
    const behind = join(config, 'behind-proxy.json');
    await writeFile(behind, JSON.stringify({ baseUrl: 'https://svc.invalid', keys }));
    const direct = await runSvc(['login', '--from', behind, '--live'], { config, env: { SVC_API_URL: address } });
    expect(direct.stderr, 'SVC_API_URL counts before the file').to.contain(`Logged in to ${address}`);
    const [current, named, variable, missing] = await Promise.all([
      runSvc(['whoami'], { config }),
      runSvc(['whoami', '--profile', 'test'], { config, key: keys.live.secret }),
      runSvc(['whoami', '--no-json'], { config, key: keys.test.secret }),
      runSvc(['whoami', '--profile', 'nobody'], { config }),
    ]);
    expect(resultOf(current.stdout)).to.have.nested.property('environment.kind', 'live');
    expect(resultOf(named.stdout)).to.have.nested.property('environment.kind', 'test');
    expect(variable.stdout).to.match(/keyFrom +SVC_API_KEY[\s\S]*environment +test/);
    expect([missing.code, missing.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes('test, live'),
    );

    await chmod(path, 0o644);
    const doctor = await runSvc(['doctor'], { config });
    expect(doctor.stdout).to.match(/problem +key file [\s\S]*fix: chmod 600 /);

    const listed = await runSvc(['profiles', '--use', 'test', '--no-json'], { config });
    expect(listed.stdout)
      .to.match(/test +true +test/)
      .and.not.contain(keys.test.secret);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    await runSvc(['logout'], { config });
    expect(await readFile(path, 'utf8'))
      .to.contain(keys.live.secret)
      .and.not.contain(keys.test.secret);
    expect((await runSvc(['whoami'], { config })).code).to.equal(3);
  });

  it('keep test and live as two profiles, under a name of one’s own too', async () => {
    const { keys } = await platform.account();
    const own = join(config, 'two');
    const login = (...words: string[]) =>
      runSvc(['login', '--base-url', platform.running.address, ...words], { config: own });
    const environmentOf = async (...words: string[]): Promise<unknown> =>
      resultOf((await runSvc(['whoami', ...words], { config: own })).stdout)['environment'];
    await login('--key', keys.test.secret);
    await login('--key', keys.live.secret);
    expect(await environmentOf()).to.have.property('kind', 'live');
    expect(await environmentOf('--profile', 'test')).to.have.property('kind', 'test');

    await login('--key', keys.live.secret, '--profile', 'shop');
    expect(await environmentOf('--profile', 'shop')).to.have.property('kind', 'live');
    await login('--key', keys.test.secret, '--profile', 'shop');
    const both = await runSvc(['whoami', '--profile', 'shop'], { config: own });
    expect([both.code, both.stderr]).to.satisfy(
      ([code, text]: [number, string]) =>
        code === 2 && text.includes('fix: Pass --profile shop-test or --profile shop-live'),
    );
    const mixed = await login('--key', keys.test.secret, '--publishable-key', keys.live.publishable);
    expect([mixed.code, mixed.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes('Log in once per environment'),
    );
  });

  it('do not replace the keys of another server unless that is asked for', async () => {
    const { keys } = await platform.account();
    const { address } = platform.running;
    const own = join(config, 'servers');
    const firstRun = join(config, 'first-run-of-another.json');
    const here = { baseUrl: 'https://svc.example.com', key: keys.test.secret };
    const stored = async (): Promise<unknown> =>
      at(JSON.parse(await readFile(join(own, 'svc', 'config.json'), 'utf8')), 'profiles');
    await mkdir(join(own, 'svc'), { recursive: true });
    await writeFile(join(own, 'svc', 'config.json'), JSON.stringify({ current: 'test', profiles: { test: here } }));
    await writeFile(firstRun, JSON.stringify({ baseUrl: address, keys }));
    for (const words of [
      ['--from', firstRun],
      ['--key', keys.test.secret, '--base-url', address],
    ]) {
      const refused = await runSvc(['login', ...words], { config: own });
      expect([refused.code, refused.stderr]).to.deep.equal([
        5,
        'The profile test is of https://svc.example.com.\nfix: Pass --profile <name> to keep what is there, or --yes to replace it.\n',
      ]);
      expect(await stored()).to.deep.equal({ test: here });
    }
    const both = await runSvc(['login', '--from', firstRun, '--profile', 'shop'], { config: own });
    expect(both.code, both.stderr).to.equal(0);
    expect(await stored())
      .to.have.all.keys('test', 'shop-test', 'shop-live')
      .and.have.deep.property('test', here);
    const replaced = await runSvc(['login', '--from', firstRun, '--yes'], { config: own });
    expect(replaced.code, replaced.stderr).to.equal(0);
    expect(await stored()).to.have.nested.property('test.baseUrl', address);
    const again = await runSvc(['login', '--from', firstRun], { config: own });
    expect(again.code, 'of the same server').to.equal(0);
  });

  it('svc open prints the address of the reference', async () => {
    const { stdout } = await runSvc(['open', '--base-url', 'https://svc.example.com/']);
    expect(stdout).to.equal('https://svc.example.com/docs/reference\n');
  });
});
