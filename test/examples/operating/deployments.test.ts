import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { readSettings, type Settings } from '#config/read.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { coreSettings } from '#core/kernel/settings.js';
import { root } from '#test/docs/shell-blocks.js';
import { at, listAt, recordAt } from '#test/support/json.js';

const textOf = (path: string): Promise<string> => readFile(join(root, 'examples/operating', path), 'utf8');
const documentOf = async (path: string): Promise<unknown> => {
  const document: unknown = parse(await textOf(path), { merge: true });
  return document;
};
const documentsOf = async (path: string): Promise<unknown[]> =>
  (await textOf(path)).split(/^---$/m).map((each) => {
    const document: unknown = parse(each);
    return document;
  });
const wordsOf = (value: unknown, ...path: string[]): string[] =>
  listAt(value, ...path).flatMap((each) => (typeof each === 'string' ? [each] : []));
const namesIn = (value: unknown, ...path: string[]): unknown[] =>
  listAt(value, ...path).map((each) => at(each, 'name'));

/** The variables of an environment file; empty values are filled in with a key. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value === '' ? filledIn : value]),
  );
const filledIn = Buffer.alloc(32).toString('base64');
const filled = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? filledIn : String(value)]));

/** The settings that a server with these variables reads. @throws SettingsError if one is unknown or invalid */
async function settingsFrom(variables: Readonly<Record<string, string>>): Promise<Settings<typeof coreSettings>> {
  const groups = (await findPlugins()).flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
  return readSettings(coreSettings, groups, variables);
}

const startOf = async (): Promise<string> => {
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return String(at(manifest, 'scripts', 'start')).replace('exec ', '');
};

/** Whether a program of dist/ exists in the sources. */
const hasProgram = (path: string): boolean => existsSync(join(root, path.replace('dist/', '').replace('.js', '.ts')));

describe('examples/operating/systemd', function () {
  // The first one loads all products.
  this.timeout(120_000);
  const units = ['svc', 'svc-api', 'svc-worker', 'svc-migrate'];
  const unit = (name: string): Promise<string> => textOf(`systemd/${name}.service`);
  const lineOf = (text: string, name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';

  it('starts what npm start starts, with settings that svc reads', async () => {
    const file = variablesIn(await textOf('systemd/svc.env'));
    for (const name of units) {
      const text = await unit(name);
      const command = lineOf(text, 'ExecStart').replace('/usr/bin/', '');
      if (name === 'svc-migrate') expect(hasProgram(command.split(' ')[1] ?? ''), command).to.equal(true);
      else expect(command).to.equal(await startOf());
      const own = [...lineOf(text, 'Environment').matchAll(/(SVC_\w+)=(\S+)/g)].map(
        ([, variable = '', value = '']) => [variable, value] as const,
      );
      const { core } = await settingsFrom({ ...file, ...Object.fromEntries(own) });
      expect(core.role).to.equal({ 'svc-api': 'api', 'svc-worker': 'worker' }[name] ?? 'all');
    }
  });

  it('lets running calls finish, and does not stop the other processes before their supervisor', async () => {
    for (const name of ['svc', 'svc-api', 'svc-worker']) {
      const text = await unit(name);
      expect(lineOf(text, 'KillSignal')).to.equal('SIGTERM');
      expect(lineOf(text, 'KillMode')).to.equal('mixed');
      // 25 s for running calls, and some for the rest.
      expect(Number(lineOf(text, 'TimeoutStopSec'))).to.be.at.least(35);
      expect(Number(lineOf(text, 'LimitNOFILE'))).to.be.at.least(16_384);
    }
  });

  it('migrates before calls and work start, as soon as the database answers', async () => {
    const migrate = await unit('svc-migrate');
    expect([lineOf(migrate, 'Type'), lineOf(migrate, 'Restart')]).to.deep.equal(['oneshot', 'on-failure']);
    expect(lineOf(migrate, 'StartLimitIntervalSec')).to.equal('0');
    for (const name of ['svc-api', 'svc-worker']) {
      expect(lineOf(await unit(name), 'Requires')).to.equal('svc-migrate.service');
      expect(lineOf(await unit(name), 'After')).to.contain('svc-migrate.service');
    }
  });

  it('is confined in the same way in every unit', async () => {
    const confinement = (text: string): string =>
      text.slice(text.indexOf('UMask')).replace(/^#.*\n|^AmbientCapabilities=\n/gm, '');
    const [first = '', ...others] = await Promise.all(units.map(unit));
    expect(first).to.contain('NoNewPrivileges=true').and.contain('ProtectSystem=strict');
    for (const other of others) expect(confinement(other)).to.equal(confinement(first));
  });
});

describe('examples/operating/compose', function () {
  // The first one loads all products.
  this.timeout(120_000);
  const services = async () => recordAt(await documentOf('compose/compose.yaml'), 'services');

  it('gives svc settings that it reads, and trusts only Caddy', async () => {
    const example = variablesIn(await textOf('compose/.env.example'));
    const file = await services();
    for (const name of ['migrate', 'api', 'worker']) {
      const given = Object.entries(recordAt(file, name, 'environment')).map(([variable, value]) => {
        const text = String(value).replace(/\$\{(\w+):\?[^}]*\}/g, (_, of: string) => example[of] ?? `missing ${of}`);
        return [variable, text] as const;
      });
      const { core } = await settingsFrom({ SVC_HOST: '0.0.0.0', ...Object.fromEntries(given) });
      expect(core.role).to.equal({ api: 'api', worker: 'worker' }[name] ?? 'all');
      expect(at(file, name, 'environment', 'SVC_TRUST_PROXY')).to.equal(
        at(file, 'caddy', 'networks', 'inner', 'ipv4_address'),
      );
      expect(at(file, name, 'stop_grace_period')).to.equal('40s');
      const [, program] = wordsOf(file, name, 'command');
      if (program !== undefined) expect(hasProgram(program), program).to.equal(true);
    }
  });

  it('publishes only Caddy to other machines, and keeps the database from the internet', async () => {
    for (const [name, service] of Object.entries(await services()))
      for (const port of listAt(service, 'ports'))
        if (name !== 'caddy') expect(String(port)).to.match(/^127\.0\.0\.1:/);
    const document = await documentOf('compose/compose.yaml');
    expect(listAt(document, 'services', 'database', 'networks')).to.deep.equal(['inner']);
    expect(at(document, 'networks', 'inner', 'internal')).to.equal(true);
  });

  it('migrates before calls and work start', async () => {
    const file = await services();
    for (const name of ['api', 'worker'])
      expect(at(file, name, 'depends_on', 'migrate', 'condition')).to.equal('service_completed_successfully');
  });

  it('has Caddy send HSTS, pass calls to the service for calls, and hide the metrics', async () => {
    const caddyfile = await textOf('compose/Caddyfile');
    const [, host = '', port] = /reverse_proxy (\S+):(\d+)/.exec(caddyfile) ?? [];
    const { api } = await services();
    // A name in the inner network only: from the outer one, Caddy has another address than SVC_TRUST_PROXY.
    expect(listAt(api, 'networks', 'inner', 'aliases')).to.deep.equal([host]);
    expect(Object.keys(recordAt(api, 'networks'))).to.deep.equal(['outer', 'inner']);
    expect(at(api, 'networks', 'outer')).to.equal(null);
    expect(Number(port)).to.equal((await settingsFrom({})).core.port);
    expect(caddyfile).to.match(/header Strict-Transport-Security "max-age=\d{8,}"/);
    expect(caddyfile).to.match(/path \/metrics\n\s+respond @internal 404/);
  });
});

describe('examples/operating/kubernetes', function () {
  // The first one loads all products.
  this.timeout(120_000);
  const podOf = (document: unknown): unknown => at(document, 'spec', 'template', 'spec');
  const containerOf = (document: unknown): unknown => listAt(podOf(document), 'containers')[0];
  const firstOf = async (file: string): Promise<unknown> => (await documentsOf(`kubernetes/${file}`))[0];
  const workloads = async (): Promise<Record<'api' | 'worker' | 'migrate', unknown>> => ({
    api: await firstOf('api.yaml'),
    worker: await firstOf('worker.yaml'),
    migrate: await firstOf('migrate/job.yaml'),
  });

  it('gives every pod settings that svc reads, from the same config map and secret', async () => {
    const config = variablesIn(await textOf('kubernetes/config/svc.env'));
    const secret = filled(recordAt(await documentOf('kubernetes/secret.example.yaml'), 'stringData'));
    for (const [name, workload] of Object.entries(await workloads())) {
      const container = containerOf(workload);
      const sources = listAt(container, 'envFrom');
      expect(sources).to.deep.equal([{ configMapRef: { name: 'svc' } }, { secretRef: { name: 'svc' } }]);
      const own = listAt(container, 'env').map(
        (each) => [String(at(each, 'name')), String(at(each, 'value'))] as const,
      );
      const { core } = await settingsFrom({ ...config, ...secret, ...Object.fromEntries(own) });
      expect(core.role).to.equal({ api: 'api', worker: 'worker' }[name] ?? 'all');
    }
  });

  it('lists every file in a kustomization, under the same image and config map', async () => {
    for (const folder of ['kubernetes', 'kubernetes/config', 'kubernetes/migrate']) {
      const kustomization = await documentOf(`${folder}/kustomization.yaml`);
      const files = (await readdir(join(root, 'examples/operating', folder))).filter((name) => name.endsWith('.yaml'));
      const listed = [...listAt(kustomization, 'resources'), 'kustomization.yaml', 'secret.example.yaml'];
      expect(listed).to.include.members(files);
    }
    const images = await Promise.all(
      ['kubernetes', 'kubernetes/migrate'].map(async (folder) =>
        at(await documentOf(`${folder}/kustomization.yaml`), 'images'),
      ),
    );
    expect(images[0]).to.deep.equal(images[1]);
    expect(at(await documentOf('kubernetes/config/kustomization.yaml'), 'configMapGenerator', '0', 'name')).to.equal(
      'svc',
    );
  });

  it('runs two pods of each kind, of which one always remains, and probes addresses that svc has', async () => {
    for (const name of ['api', 'worker']) {
      const [deployment, budget] = await documentsOf(`kubernetes/${name}.yaml`);
      expect(at(deployment, 'spec', 'replicas')).to.equal(2);
      const labels = at(deployment, 'spec', 'selector', 'matchLabels');
      expect(at(deployment, 'spec', 'template', 'metadata', 'labels')).to.deep.equal(labels);
      expect(at(budget, 'spec', 'selector', 'matchLabels')).to.deep.equal(labels);
      expect(at(budget, 'spec', 'minAvailable')).to.equal(1);
      const container = containerOf(deployment);
      expect(at(container, 'livenessProbe', 'httpGet', 'path')).to.equal('/healthz');
      expect(at(container, 'readinessProbe', 'httpGet', 'path')).to.equal('/readyz');
      expect(at(container, 'readinessProbe', 'timeoutSeconds')).to.be.greaterThan(2);
      // preStop, 25 s for running calls, and some for the rest.
      expect(at(podOf(deployment), 'terminationGracePeriodSeconds')).to.be.at.least(name === 'api' ? 45 : 35);
    }
    const [service] = await documentsOf('kubernetes/service.yaml');
    const [api] = await documentsOf('kubernetes/api.yaml');
    expect(at(service, 'spec', 'selector')).to.deep.equal(at(api, 'spec', 'selector', 'matchLabels'));
  });

  it('confines every pod, and gives it the volumes that it writes to', async () => {
    for (const [name, workload] of Object.entries(await workloads())) {
      expect(at(podOf(workload), 'securityContext', 'runAsNonRoot'), name).to.equal(true);
      const container = containerOf(workload);
      expect(at(container, 'securityContext')).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(at(container, 'resources', 'requests')).to.have.keys(['cpu', 'memory']);
      expect(namesIn(container, 'volumeMounts')).to.deep.equal(['state', 'tmp']);
      expect(namesIn(podOf(workload), 'volumes')).to.deep.equal(['state', 'tmp']);
      const [, program] = wordsOf(container, 'command');
      if (program !== undefined) expect(hasProgram(program), program).to.equal(true);
    }
  });
});
