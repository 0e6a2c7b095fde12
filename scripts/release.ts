import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLater, releaseChanges, withVersion } from './release-changelog.js';

const usage = `npm run release -- <version> [--dry-run]

Releases the commit that is checked out: gives the changes under “Unreleased” in CHANGELOG.md to the version, writes the
version where files name it, runs all checks (.ci/run), commits, makes the package and tags it. Nothing is pushed. If a
step fails, the commit that was checked out is restored. --dry-run prints the notes and changes nothing.
`;

const folder = 'release';
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();
/** Runs a program whose output people read. @throws Error if it fails */
const run = (program: string, ...words: string[]): void => void execFileSync(program, words, { stdio: 'inherit' });

function versionNow(): string {
  const facts: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  const version: unknown = typeof facts === 'object' && facts !== null ? Reflect.get(facts, 'version') : undefined;
  if (typeof version !== 'string') throw new Error('package.json has no version.');
  return version;
}

/** @throws Error if the version cannot be released from here */
function requireReleasable(version: string, now: string): void {
  if (!isLater(version, now)) throw new Error(`The version must be later than ${now}, which package.json has.`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists already.`);
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`Commit these files or put them away first:\n${changed}`);
}

/** Writes the version into every file that names it. */
function writeVersion(version: string, now: string, changelog: string): void {
  run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
  writeFileSync('CHANGELOG.md', changelog);
  const paths = git('ls-files', '--', '*.md', 'examples').split('\n');
  for (const path of paths.filter((each) => each !== 'CHANGELOG.md' && !each.startsWith('docs/decisions/'))) {
    const text = readFileSync(path, 'utf8');
    const changed = withVersion(text, now, version);
    if (changed !== text) writeFileSync(path, changed);
  }
  run('npm', 'run', '--silent', 'generate');
}

function release(version: string, isDry: boolean): void {
  const now = versionNow();
  requireReleasable(version, now);
  const day = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = releaseChanges(readFileSync('CHANGELOG.md', 'utf8'), version, day);
  if (isDry) return void process.stdout.write(notes);
  const before = git('rev-parse', 'HEAD');
  const notesFile = join(folder, `notes-${version}.md`);
  try {
    writeVersion(version, now, changelog);
    run('bash', '.ci/run');
    git('commit', '--all', '--quiet', '--message', `Release ${version}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(notesFile, `# svc ${version}\n\n${notes}`);
    // After the commit, which the build names as its own.
    run('npm', 'pack', '--pack-destination', folder);
    git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--file', notesFile);
  } catch (error) {
    git('reset', '--hard', '--quiet', before);
    say(`Nothing was released: ${before.slice(0, 12)} is checked out again, without changes.`);
    throw error;
  }
  say(`Released ${version}. The notes and the package are in ${folder}/.`);
  say(`Publish it: git push origin HEAD v${version}`);
}

const words = process.argv.slice(2);
const isDry = words.includes('--dry-run');
const [version, ...others] = words.filter((word) => word !== '--dry-run');
if (version === undefined || version.startsWith('-') || others.length > 0) {
  process.stderr.write(usage);
  process.exitCode = version === '--help' ? 0 : 2;
} else
  try {
    release(version, isDry);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
