import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/**
 * Words that MySQL 8.0 to 9.7 reserves and MariaDB does not: as the name of a table or column they are a syntax error
 * on MySQL only, which the tests on MariaDB do not show (MySQL's manual, Keywords and Reserved Words).
 */
const reserved = [
  ...['cube', 'cume_dist', 'dense_rank', 'empty', 'first_value', 'function', 'generated', 'get', 'grouping', 'groups'],
  ...[
    'json_table',
    'lag',
    'last_value',
    'lateral',
    'lead',
    'library',
    'manual',
    'nth_value',
    'ntile',
    'of',
    'parallel',
  ],
  ...['percent_rank', 'qualify', 'rank', 'row_number', 'stored', 'system', 'tablesample', 'virtual', 'window'],
].join('|');

/** `AS rank`, `JOIN auth_identity stored ON`, `FROM (…) groups`, `UPDATE contact system SET`. */
const aliases = new RegExp(
  [
    `\\bAS (?:${reserved})\\b(?!\\s*\\()`,
    `\\b(?:FROM|JOIN|UPDATE) [\\w\${}.]+ (?:AS )?(?:${reserved})\\s`,
    `\\) (?:${reserved})\\s+(?:ON|WHERE|JOIN|LEFT|GROUP|ORDER)\\b`,
  ].join('|'),
  'g',
);

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('SQL', () => {
  it('uses no word as an alias that only MySQL reserves', async () => {
    const found: string[] = [];
    for (const folder of ['core', 'migrations', 'plugins', 'scripts'])
      for (const path of await readdir(`${root}${folder}`, { recursive: true })) {
        if (!path.endsWith('.ts')) continue;
        const text = await readFile(`${root}${folder}/${path}`, 'utf8');
        for (const [alias] of text.matchAll(aliases)) found.push(`${folder}/${path}: ${alias.trim()}`);
      }
    expect(found).to.deep.equal([]);
  });
});
