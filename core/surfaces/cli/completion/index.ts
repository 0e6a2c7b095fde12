import type { Command } from 'commander';
import type { CliCatalogue } from '../command-catalogue.js';
import { CliError } from '../errors.js';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { completionModel } from './model.js';
import { zshScript } from './zsh.js';

const scripts = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

/** Prints the completion script of a shell. @throws CliError for an unsupported shell */
export function printCompletion(program: Command, catalogue: CliCatalogue, shell: string): void {
  const script = scripts.get(shell);
  if (!script)
    throw new CliError(`Completion for “${shell}” is not supported.`, `Use one of ${[...scripts.keys()].join(', ')}.`);
  process.stdout.write(script(completionModel(program, catalogue)));
}
