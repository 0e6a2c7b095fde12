import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings } from '#config/read.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { at, isRecord } from '#test/support/json.js';
import { root } from './shell-blocks.js';

const textOf = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const documentOf = async (path: string): Promise<unknown> => parse(await textOf(path));

/** The settings that a deployment with these variables would read. */
async function settingsFrom(variables: Readonly<Record<string, string>>): Promise<ReturnType<typeof read>> {
  const groups = (await findPlugins()).flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
  return read(groups, variables);
}
const read = (groups: Parameters<typeof readSettings>[1], variables: Readonly<Record<string, string>>) =>
  readSettings(coreSettings, groups, variables);

/** The ENV lines of the Dockerfile's last stage. */
async function imageVariables(): Promise<Record<string, string>> {
  const lastStage = (await textOf('Dockerfile')).split(/^FROM /m).at(-1) ?? '';
  return Object.fromEntries(
    [...lastStage.matchAll(/(SVC_[A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

describe('compose.yaml', () => {
  it('gives svc settings that it reads, with the database and the mail catcher of the same file', async () => {
    const services = at(await documentOf('compose.yaml'), 'services');
    const environment = at(services, 'svc', 'environment');
    if (!isRecord(environment) || !isRecord(services)) throw new Error('compose.yaml has no service svc.');
    const variables = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, String(value)] as const),
    );
    // Compose fills it in from the shell, and refuses to start without it.
    expect(variables['SVC_SECRET_KEY']).to.match(/^\$\{SVC_SECRET_KEY:\?/);
    variables['SVC_SECRET_KEY'] = Buffer.alloc(32).toString('base64');

    const { core } = await settingsFrom({ ...(await imageVariables()), ...variables });
    expect(core.host).to.equal('0.0.0.0');
    const database = new URL(core.databaseUrl ?? '');
    expect(Object.keys(services)).to.include.members([
      database.hostname,
      new URL(variables['SVC_SMTP_URL'] ?? '').hostname,
    ]);
    const server = at(services, database.hostname, 'environment');
    expect(at(server, 'MARIADB_USER')).to.equal(database.username);
    expect(at(server, 'MARIADB_PASSWORD')).to.equal(database.password);
    expect(`/${String(at(server, 'MARIADB_DATABASE'))}`).to.equal(database.pathname);
  });

  it('starts the database with what svc demands in production', async () => {
    const command = String(at(await documentOf('compose.yaml'), 'services', 'database', 'command'));
    expect(command).to.contain('--innodb-flush-log-at-trx-commit=1').and.contain('--max-allowed-packet=64M');
  });

  it('publishes ports on loopback alone, and declares its volumes', async () => {
    const document = await documentOf('compose.yaml');
    const services = at(document, 'services');
    const declared = at(document, 'volumes');
    if (!isRecord(services) || !isRecord(declared)) throw new Error('compose.yaml has no services or volumes.');
    for (const service of Object.values(services)) {
      const [ports, volumes] = [at(service, 'ports') ?? [], at(service, 'volumes') ?? []];
      for (const port of Array.isArray(ports) ? ports : []) expect(String(port)).to.match(/^127\.0\.0\.1:\d+:\d+$/);
      for (const volume of Array.isArray(volumes) ? volumes : [])
        expect(Object.keys(declared)).to.include(String(volume).split(':')[0]);
    }
  });
});

describe('The Dockerfile', () => {
  it('does not run as root, and keeps its state in the volume that compose.yaml mounts', async () => {
    const text = await textOf('Dockerfile');
    expect(text).to.match(/^USER node$/m);
    const { SVC_STATE_DIR: folder } = await imageVariables();
    expect(text).to.contain(`VOLUME ${folder ?? '?'}\n`);
    const volumes = at(await documentOf('compose.yaml'), 'services', 'svc', 'volumes');
    expect(volumes).to.deep.equal([`state:${folder ?? '?'}`]);
  });

  it('starts what npm start starts, on a Node that package.json admits', async () => {
    const text = await textOf('Dockerfile');
    const manifest: unknown = JSON.parse(await textOf('package.json'));
    const start = String(at(manifest, 'scripts', 'start'))
      .replace('exec ', '')
      .split(' ');
    expect(text).to.contain(`CMD ${JSON.stringify(start).replaceAll('","', '", "')}`);
    expect(text.match(/^FROM node:22-slim/gm)).to.have.length(2);
  });
});

describe('The CI workflow', () => {
  it('runs .ci/run on every supported Node and database', async () => {
    const job = at(await documentOf('.github/workflows/ci.yml'), 'jobs', 'ci');
    expect(at(job, 'strategy', 'matrix', 'node')).to.deep.equal([22, 24]);
    const others = JSON.stringify(at(job, 'strategy', 'matrix', 'include'));
    for (const database of ['mysql:8.0', 'mysql:9', 'mariadb:10.6', 'mariadb:11.8'])
      expect(others).to.contain(database);
    expect(JSON.stringify(at(job, 'steps'))).to.contain('{"run":".ci/run"}');
  });

  it('pins every action to a commit, with its version beside it', async () => {
    const used = [...(await textOf('.github/workflows/ci.yml')).matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(used).to.have.length.above(0);
    for (const action of used) expect(action).to.match(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
