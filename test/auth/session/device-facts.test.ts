import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '#config/read.js';
import { deploymentSettings } from '#plugins/auth/deployment/settings.js';
import { signedIn } from '#test/auth/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { berlinEverywhere } from './geoip-file.js';

describe('What a session says about its client', () => {
  const files: { folder?: string } = {};
  const platform = usePlatform({
    async settings() {
      files.folder = await mkdtemp(join(tmpdir(), 'svc-geoip-'));
      const path = join(files.folder, 'cities.mmdb');
      await writeFile(path, berlinEverywhere());
      return { SVC_GEOIP_FILE: path };
    },
  });
  after(async () => rm(files.folder ?? '', { recursive: true, force: true }));

  it('is the place of its address, by the deployment’s GeoIP file', async () => {
    const { svc, live, keys } = await platform.account();
    const { refreshToken, userId } = await signedIn(platform, live);
    await svc.call('auth.session.refresh', { refreshToken }, { key: keys.live.publishable });
    const { sessions } = await svc.call('auth.session.list', { userId });
    expect(sessions.map(({ ip, location }) => ({ ip, location }))).to.deep.equal([
      { ip: '127.0.0.1', location: 'Berlin, Germany' },
    ]);
  });

  it('needs a file that can be read: the start says what is wrong with it', async () => {
    const wrong = join(files.folder ?? '', 'wrong.mmdb');
    await writeFile(wrong, 'no database');
    for (const [path, problem] of [
      [wrong, 'is not in the MaxMind DB format'],
      [join(files.folder ?? '', 'missing.mmdb'), 'cannot be read (ENOENT)'],
    ] as const)
      expect(() => readSettings({}, [deploymentSettings], { SVC_GEOIP_FILE: path })).to.throw(
        `SVC_GEOIP_FILE names a file that ${problem}`,
      );
  });

  it('is deleted with the session ninety days after its end', async () => {
    const { svc, live } = await platform.account();
    const { services, running } = { services: platform.running.services, running: platform.running };
    const job = running.registry.plugins
      .flatMap((plugin) => plugin.jobs?.(services) ?? [])
      .find(({ name }) => name === 'auth.forget-sessions');
    const { userId, sessionId } = await signedIn(platform, live);
    await svc.call('auth.settings.set', { refreshTokenSeconds: 31_536_000 });
    const lasting = await signedIn(platform, live);
    await svc.call('auth.session.revoke', { sessionId });
    const expiring = await signedIn(platform, live);
    const listed = async (): Promise<string[]> =>
      (await svc.call('auth.session.list', { userId, live: false })).sessions.map(({ id }) => id);
    platform.clock.advance(days(90) - 1);
    await job?.run();
    expect(await listed()).to.deep.equal([expiring.sessionId, lasting.sessionId, sessionId]);
    platform.clock.advance(2);
    await job?.run();
    expect(await listed()).to.deep.equal([expiring.sessionId, lasting.sessionId]);
    platform.clock.advance(days(365));
    await job?.run();
    expect(await listed()).to.deep.equal([]);
  });
});
