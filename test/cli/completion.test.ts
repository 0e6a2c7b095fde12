import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bashScript } from '#core/surfaces/cli/completion/bash.js';
import { fishScript } from '#core/surfaces/cli/completion/fish.js';
import { completionModel } from '#core/surfaces/cli/completion/model.js';
import { zshScript } from '#core/surfaces/cli/completion/zsh.js';
import { catalogue } from '#core/surfaces/cli/command-catalogue.gen.js';
import { buildProgram } from '#core/surfaces/cli/program.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const model = completionModel(buildProgram(catalogue, []).program, catalogue);

/** Most machines of CI have neither fish nor zsh. */
const hasShell = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

/** What bash offers for the last of the words. */
const offered = (...words: string[]): Promise<string[]> => offeredWith('', ...words);

/** @param assignments further variables and arguments that bash sets */
async function offeredWith(assignments: string, ...words: string[]): Promise<string[]> {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `${bashScript(model)}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; ${assignments}\n_svc "$@"; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', script], { cwd: root });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('Shell completion', () => {
  it('offers commands, flags and values in bash', async () => {
    await run('bash', ['-n', '-c', bashScript(model)]);
    expect(await offered('svc', 'acc')).to.deep.equal(['account']);
    expect(await offered('svc', '')).to.include.members(['account', 'email', 'login', 'doctor', 'completion']);
    expect(await offered('svc', '--profile', 'shop', 'account', 'member', '')).to.include.members([
      'invite',
      'list',
      'role',
    ]);
    expect(await offered('svc', 'account', 'member', 'invite', '--r')).to.deep.equal(['--role']);
    expect(await offered('svc', 'account', 'member', 'invite', '--role', 'ad')).to.deep.equal(['admin']);
    expect(await offered('svc', 'account', 'member', 'invite', '--role', '=', 'ad')).to.deep.equal(['admin']);
    expect(await offered('svc', 'account', 'member', 'invite', '--role', '=')).to.include.members(['admin', 'owner']);
    expect(await offered('svc', 'completion', '')).to.deep.equal(['bash', 'zsh', 'fish']);
    expect(await offered('svc', 'login', '--fr')).to.deep.equal(['--from']);
  });

  it('summarizes a flag by its first sentence, with what a colon announces', () => {
    const flags = model.places.flatMap((place) => place.flags);
    expect(flags.filter(({ summary }) => summary.includes(': '))).not.to.deep.equal([]);
    expect(flags.filter(({ summary }) => /[.;:]$/.test(summary))).to.deep.equal([]);
  });

  it('offers the built-in commands’ own, and nothing where a command takes no further word', async () => {
    expect(await offered('svc', 'env', '')).to.deep.equal(['list', 'use']);
    expect(await offered('svc', 'mcp', '--mode', '')).to.deep.equal(['full', 'compact']);
    for (const words of [['env', 'use'], ['whoami'], ['doctor'], ['logout'], ['--profile'], ['--base-url']])
      expect(await offered('svc', ...words, ''), words.join(' ')).to.deep.equal([]);
  });

  it('offers files where one is named, also after @, and only there', async () => {
    expect(await offered('svc', 'email', 'send', '--attach', 'packag')).to.include('package.json');
    expect(await offered('svc', 'audience', 'contact', 'import', '--csv', '@packag')).to.include('@package.json');
    // As bash passes it where a person types.
    const typed = "COMP_LINE='svc audience contact import --csv @packag' COMP_POINT=44; set -- svc @packag";
    expect(await offeredWith(typed, 'svc', 'audience', 'contact', 'import', '--csv', '@', 'packag')).to.include(
      '@package.json',
    );
    expect(await offered('svc', 'login', '--from', 'packag')).to.include('package.json');
    expect(await offered('svc', 'email', 'send', '--from', 'packag')).to.deep.equal([]);
  });

  it('offers commands, flags, values and files in fish', async function () {
    if (!hasShell('fish')) this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'svc-completion-'));
    const file = join(folder, 'svc.fish');
    await writeFile(file, fishScript(model));
    const offers = async (typed: string): Promise<string[]> => {
      const { stdout, stderr } = await run('fish', ['--no-config', '-c', `source ${file}; complete -C '${typed}'`], {
        cwd: root,
      });
      expect(stderr).to.equal('');
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
    };
    expect(await offers('svc acc')).to.deep.equal(['account']);
    expect(await offers('svc --profile shop account member ')).to.include.members(['invite', 'list', 'role']);
    expect(await offers('svc account member invite --r')).to.deep.equal(['--role']);
    expect(await offers('svc account member invite --role ad')).to.deep.equal(['admin']);
    expect(await offers('svc audience contact import --csv @packag')).to.include('@package.json');
    expect(await offers('svc whoami ')).to.deep.equal([]);
    await rm(folder, { recursive: true });
  });

  it('is a script that zsh takes', async function () {
    if (!hasShell('zsh')) this.skip();
    const { stdout, stderr } = await run('zsh', [
      '-f',
      '-c',
      `autoload -Uz compinit; compinit -D -u; ${zshScript(model)}\nprint -r -- $_comps[svc]`,
    ]);
    expect([stdout, stderr]).to.deep.equal(['_svc\n', '']);
  });

  for (const [shell, script] of [
    ['bash', bashScript(model)],
    ['zsh', zshScript(model)],
    ['fish', fishScript(model)],
  ] as const)
    it(`knows every command in ${shell}`, () => {
      for (const { path, commands } of model.places)
        for (const { word } of [{ word: path }, ...commands]) expect(script).to.contain(word);
      expect(script).to.contain('--role'.slice(shell === 'fish' ? 2 : 0));
    });
});
