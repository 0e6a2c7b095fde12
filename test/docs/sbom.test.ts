import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { billOfMaterials, bundledNames } from '#scripts/build-sbom.js';
import { textAt } from '#core/runtime/json.js';
import { at, listAt, recordAt } from '#test/support/json.js';
import { root } from './shell-blocks.js';

describe('The bill of materials', function () {
  this.timeout(300_000);
  const bundled = { console: ['preact', '@preact/signals'], cli: ['commander'] };

  it('lists what the server needs and what is bundled, with versions, licenses and hashes, and no other tools', async () => {
    const bill: unknown = JSON.parse(await billOfMaterials(bundled));
    expect(bill).to.include({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    expect(at(bill, 'serialNumber')).to.match(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(at(bill, 'metadata', 'component', 'name')).to.equal('svc');
    const components = at(bill, 'components');
    const listed = Array.isArray(components) ? components.map((each: unknown) => each) : [];
    const names = listed.map((each) => `${String(at(each, 'name'))}@${String(at(each, 'version'))}`);
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const needed = Object.entries(recordAt(manifest, 'dependencies')).map(
      ([name, version]) => `${name}@${String(version)}`,
    );
    expect(names).to.include.members(needed);
    expect(names.filter((name) => /^(mocha|eslint|typescript|esbuild|playwright-core)@/.test(name))).to.deep.equal([]);
    for (const each of listed) {
      expect(at(each, 'purl'), String(at(each, 'name'))).to.match(/^pkg:npm\/.+@/);
      expect(at(each, 'hashes'), String(at(each, 'name'))).to.be.an('array').that.is.not.empty;
    }
    const signals = listed.find((each) => at(each, 'name') === '@preact/signals');
    expect(at(signals, 'properties')).to.deep.equal([{ name: 'svc:bundle', value: 'console' }]);
    expect(listed.some((each) => at(each, 'name') === 'lucide')).to.equal(false);
  });

  it('lists every package that is installed for the server, also where a copy is one of development, each with a license', async () => {
    const bill: unknown = JSON.parse(await billOfMaterials(bundled));
    const components = listAt(bill, 'components');
    const listed = new Set(components.map((each) => String(at(each, 'bom-ref'))));
    const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
    const installed = Object.entries(recordAt(lock, 'packages')).flatMap(([folder, fields]) =>
      folder === '' || at(fields, 'dev') === true
        ? []
        : [`${textAt(fields, 'name') ?? folder.split('node_modules/').at(-1) ?? ''}@${String(at(fields, 'version'))}`],
    );
    expect(installed.filter((each) => !listed.has(each))).to.deep.equal([]);
    for (const each of components) {
      const name = String(at(each, 'bom-ref'));
      const [license] = listAt(each, 'licenses');
      expect(at(license, 'license', 'id') ?? at(license, 'expression'), name).to.be.a('string').that.is.not.empty;
    }
  });

  it('is the same each time', async () => {
    expect(await billOfMaterials(bundled)).to.equal(await billOfMaterials(bundled));
  });

  it('finds the packages of a bundle in its licenses', () => {
    const line = '-'.repeat(80);
    expect(bundledNames(`@a/b\n\nMIT\n${line}\nc\n\nISC`)).to.deep.equal(['@a/b', 'c']);
  });
});
