import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The rows of the table “Which limit protects what”: their amounts, and the files that count. */
const rows = textOf('docs/security.md')
  .split(/^## /m)
  .filter((section) => section.startsWith('Which limit protects what'))
  .flatMap((section) => section.split('\n').filter((line) => line.startsWith('|')))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, , amount = '', , files = '']) => ({
    amount: amount.replaceAll(',', ''),
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }));

/** Files that group by address without limiting anything. */
const others = [
  'core/kernel/limits/address-group.ts',
  'core/kernel/limits/named-limit.ts',
  // A caller without a key is identified by its address.
  'core/kernel/idempotency/key.ts',
];

const countsByAddress = /\b(?:perIp|addressGroup|addressSite)[(<]/;

const files = ['core', 'plugins']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.ts') && !others.includes(path) && countsByAddress.test(textOf(path)))
  .sort();

describe('The limits per IP address', () => {
  it('are all in the table of docs/security.md', () => {
    const named = new Set(rows.flatMap((row) => row.files));
    expect(files.filter((file) => !named.has(file))).to.deep.equal([]);
    expect(files).to.include('plugins/auth/devices.ts');
  });

  for (const file of files)
    it(`${file} has the amounts of the table`, () => {
      const amounts = rows
        .filter((row) => row.files.includes(file))
        .flatMap(({ amount }) => amount.match(/\d+/g) ?? []);
      const counted = [...textOf(file).matchAll(/\b(?:max|burst): (\d[\d_]*)/g)].map(([, number = '']) =>
        number.replaceAll('_', ''),
      );
      for (const number of counted) expect(amounts).to.include(number);
    });

  it('name files that exist', () => {
    for (const file of rows.flatMap((row) => row.files).filter((name) => name.endsWith('.ts'))) textOf(file);
  });
});
