import { expect } from 'chai';
import { requireNoOtherVersion } from '#core/platform/nodes.js';
import { migrationsFolder } from '#core/platform/migrations-folder.js';
import { buildVersion } from '#core/surfaces/version.js';
import { findMigrations, type Migration } from '#core/runtime/database/migrate.js';
import { usePlatform } from '#test/support/platform.js';

describe('Processes of another version on the database', () => {
  const platform = usePlatform();
  const all = (): Promise<Migration[]> => findMigrations(migrationsFolder, ['core']);
  const withNew = async (): Promise<Migration[]> => [
    ...(await all()),
    { owner: 'core', name: '9999_new', statements: ['SELECT 1'] },
  ];
  const refusal = async (migrations: Migration[], version: string, lines: string[] = []): Promise<string> => {
    try {
      const progress = (line: string): unknown => lines.push(line);
      await requireNoOtherVersion(platform.running.services.database, migrations, { version, waitMs: 0, progress });
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  it('have a row while they run', async () => {
    expect(await platform.count('svc_node')).to.equal(1);
    const node = await platform.secondNode();
    expect(await platform.count('svc_node')).to.equal(2);
    await node.stop();
    expect(await platform.count('svc_node')).to.equal(1);
  });

  it('are named by a start that must migrate, which is refused', async () => {
    const lines: string[] = [];
    const message = await refusal(await withNew(), '9.9.9+new', lines);
    expect(message).to.contain(`1 of version ${buildVersion()}`).and.contain('Stop them');
    expect(lines.join()).to.contain('Waiting for them to end');
  });

  it('stop no start of their own version, and none that changes nothing', async () => {
    expect(await refusal(await withNew(), buildVersion())).to.equal('');
    expect(await refusal(await all(), '9.9.9+new')).to.equal('');
  });

  it('no longer count 20 s after a kill', async () => {
    const { database } = platform.running.services;
    await database.run('UPDATE svc_node SET seen_at = NOW(3) - INTERVAL 21 SECOND');
    expect(await refusal(await withNew(), '9.9.9+new')).to.equal('');
  });
});
