import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { coreSettings } from '#core/kernel/settings.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { shareTexts, type SettingDeclarations } from '#config/declare.js';
import { startNode } from '#test/faults/support/node.js';
import { compiledProgram } from '#test/support/compiled.js';
import { at } from '#test/support/json.js';
import { takeMigratedDatabase } from '#test/support/migrated-database.js';
import { needProducts } from '#test/support/products.js';

const run = promisify(execFile);

describe('A start on a database that other settings have used', function () {
  // Each case starts several nodes, one after the other.
  this.timeout(240_000);
  needProducts('email');
  const folder = mkdtempSync(join(tmpdir(), 'svc-identity-'));
  let laptop: { url: string; drop: () => Promise<void> } | undefined;
  const secretKey = randomBytes(32).toString('base64');
  before(async () => {
    laptop = await takeMigratedDatabase(['core', ...(await findPlugins()).map(({ name }) => name)]);
  });
  after(async () => {
    await laptop?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const nodeOf = (state: string, settings: Readonly<Record<string, string>>): Record<string, string> => ({
    SVC_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
    SVC_STATE_DIR: join(folder, state),
    // Several processes compare the same settings, once: start-settings.test.ts starts them.
    SVC_PROCESSES: '1',
    ...settings,
  });
  /** Starts and stops a node. @returns what it said if it did not start, otherwise an empty text */
  const started = async (state: string, settings: Readonly<Record<string, string>>): Promise<string> => {
    try {
      const node = await startNode(nodeOf(state, settings));
      await node.stop();
      return '';
    } catch (error) {
      return String(error);
    }
  };
  const codeIn = (said: string): string => /SVC_ACCEPT_CHANGES=([0-9a-f]{12})/.exec(said)?.[1] ?? '';

  it('is refused in production if it forgot or changed what all nodes share, until the change is accepted once', async () => {
    const production = {
      SVC_BASE_URL: 'https://svc.example.com',
      SVC_SMTP_URL: 'smtp://user:secret@127.0.0.1:9',
      SVC_OWNER_EMAIL: 'ada@example.com',
    };
    expect(await started('production', production)).to.equal('');
    // Spelled in another way, and with another password, it is the same deployment.
    const same = { SVC_BASE_URL: 'https://SVC.example.com/', SVC_SMTP_URL: 'smtp://user:other@127.0.0.1:9' };
    const node = await startNode(nodeOf('production', { ...production, ...same }));
    const beside = { ...nodeOf('production', production), SVC_BASE_URL: 'https://mail.example.com' };
    const env = { PATH: process.env['PATH'] ?? '', ...beside };
    const doctor = await run(process.execPath, [compiledProgram('scripts/svc.ts'), 'doctor', '--json'], { env }).catch(
      (error: unknown) => ({ stdout: at(error, 'stdout') }),
    );
    expect(doctor.stdout).to.contain('SVC_BASE_URL is https://mail.example.com here, and was https://svc.example.com');
    await node.stop();

    const forgotten = await started('production', {});
    expect(forgotten)
      .to.contain('SVC_BASE_URL is not set')
      .and.contain('SVC_SMTP_URL is not set')
      .and.contain('was https://svc.example.com at the last start')
      .and.not.contain('secret');
    const moved = { ...production, SVC_BASE_URL: 'https://mail.example.com' };
    const refused = await started('production', moved);
    expect(refused).to.contain('SVC_BASE_URL is https://mail.example.com here, and was https://svc.example.com');
    // The code of other differences accepts nothing.
    expect(codeIn(refused)).to.not.equal(codeIn(forgotten));

    expect(await started('production', { ...moved, SVC_ACCEPT_CHANGES: codeIn(refused) })).to.equal('');
    expect(await started('production', moved)).to.equal('');
    // The accident that the code was meant against: the same change back, with a code that stayed in a file.
    const back = await started('production', { ...production, SVC_ACCEPT_CHANGES: codeIn(refused) });
    expect(back).to.contain('SVC_BASE_URL is https://svc.example.com here, and was https://mail.example.com');
  });

  it('outside production may set and change them, but not forget one', async () => {
    // In production, the server would have to be durable, which that of tests is not.
    const database = { SVC_DATABASE_URL: laptop?.url ?? '', SVC_SECRET_KEY: secretKey };
    expect(await started('laptop', database)).to.equal('');
    expect(await started('laptop', { ...database, SVC_SMTP_URL: 'smtp://127.0.0.1:9' })).to.equal('');
    expect(await started('laptop', { ...database, SVC_SMTP_URL: 'smtp://127.0.0.2:9' })).to.equal('');
    expect(await started('laptop', database)).to.contain('SVC_SMTP_URL is not set');
  });
});

describe('Each setting', () => {
  it('declares whether the nodes of a deployment share it', async () => {
    const declared = [coreSettings, ...(await findPlugins()).map(({ settings }) => settings ?? {})];
    for (const setting of declared.flatMap((each: SettingDeclarations) => Object.values(each)))
      expect(setting.share, setting.variable).to.be.oneOf(Object.keys(shareTexts));
  });
});
