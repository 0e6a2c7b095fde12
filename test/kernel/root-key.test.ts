import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { coreSettings } from '#config/core.js';
import { readSettings } from '#config/read.js';
import { findPlugins } from '#core/kernel/find-plugins.js';
import { openServices } from '#core/platform/open.js';
import { createLog } from '#core/runtime/log.js';
import { usePlatform } from '#test/support/platform.js';

describe('A database that was started with another SVC_SECRET_KEY', () => {
  const platform = usePlatform();

  it('stops the start, and names the setting and the fix', async () => {
    const plugins = await findPlugins();
    const settings = readSettings(
      coreSettings,
      plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : [])),
      { SVC_PORT: '0', SVC_STATE_DIR: tmpdir() },
    );
    const log = createLog('fatal', { write: () => undefined });
    const options = { settings, plugins, databaseUrl: platform.databaseUrl, rootKey: randomBytes(32), log };
    const refused: unknown = await openServices(options, () => undefined).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(String(refused)).to.match(/SVC_SECRET_KEY is not the key .*\n.*Set SVC_SECRET_KEY/);
  });

  it('starts again with its own', async () => {
    await platform.restart();
    expect((await platform.api.raw('/readyz', undefined, { method: 'GET' })).status).to.equal(200);
  });
});
