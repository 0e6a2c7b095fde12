import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The only files that make a Holder. All of them begin with the account. */
const makers = ['core/kernel/caller/share.ts', 'core/kernel/limits/holder-of.ts'];

/** Files of a request's path that count something by name, and by what. Whatever is shared is counted by Holder. */
const counting: Readonly<Record<string, string>> = {
  'core/runtime/jobs/scheduler.ts': 'jobs',
  'core/runtime/log.ts': 'messages of the log',
  'core/runtime/thread-pool.ts': 'paths of owners, accounts first',
  'core/runtime/turn-gate.ts': 'holders',
  'core/surfaces/http/body-budget.ts': 'holders',
  'core/surfaces/http/shard-peer.ts': 'client addresses: the account of a call for another shard is not known',
};

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !entry.name.includes('.gen.'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('What all accounts share', () => {
  it('is held by holders that only two files make, from accounts', () => {
    const importing = ['core', 'plugins', 'scripts']
      .flatMap(sourcesOf)
      .filter((file) => /import \{[^}]*\bholder\b[^}]*\} from '[^']*\/holder\.js'/.test(textOf(file)));
    expect(importing).to.have.members(makers);
  });

  it('is counted by holder: a new count by another name says here what it counts', () => {
    const files = ['core/kernel', 'core/runtime', 'core/surfaces/http']
      .flatMap(sourcesOf)
      .filter((file) => !file.startsWith('core/runtime/work/'));
    const found = files.filter((file) => /new Map<string, (number|\(\(\) => void\)\[\]|Set<)/.test(textOf(file)));
    expect(found).to.have.members(Object.keys(counting));
  });
});
