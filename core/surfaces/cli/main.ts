import { CommanderError, type Command } from 'commander';
import { catalogue } from './command-catalogue.gen.js';
import { CliError, exit, report } from './errors.js';
import { buildProgram } from './program.js';
import { storedProducts } from './session/products.js';
import { requireWholeOutput } from './terminal/whole-output.js';

/**
 * Runs one command.
 * @param argv the arguments after `svc`
 * @returns the exit code
 */
export async function main(argv: readonly string[]): Promise<number> {
  requireWholeOutput();
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const built: { program?: Command } = {};
  try {
    const isHelp = words.length === 0 || words.some((word) => word === '--help' || word === '-h');
    const { program, args } = buildProgram(catalogue, words, isHelp ? await storedProducts(words) : undefined);
    built.program = program;
    if (args.length === 0) {
      program.outputHelp();
      return exit.ok;
    }
    await program.parseAsync(args, { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : exit.ok;
  } catch (error) {
    const isCommander = error instanceof CommanderError;
    if (isCommander && error.exitCode === 0) return exit.ok;
    // A group without a command prints its help.
    if (isCommander && error.code === 'commander.help') return exit.usage;
    const help = helpOf(built.program, words);
    return report(isCommander ? usageError(error, help) : error, help, argv.includes('--json'));
  }
}

/** The command that shows the help of the one that the arguments call, or of the nearest known one. */
function helpOf(program: Command | undefined, words: readonly string[]): string {
  let command = program;
  const path: string[] = [];
  for (const word of words) {
    const child = word.startsWith('-') ? undefined : command?.commands.find((each) => each.name() === word);
    if (!child) continue;
    path.push(word);
    command = child;
  }
  return ['svc', ...path, '--help'].join(' ');
}

/** Turns Commander's error into ours. */
function usageError(error: CommanderError, help: string): CliError {
  const [message = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  return new CliError(
    `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`,
    [
      ...suggestion.map((each) => each.replace(/^\((.*)\)$/, '$1')),
      ...(error.code === 'commander.excessArguments' ? ['Give each value with its flag.'] : []),
      `See \`${help}\`.`,
    ].join(' '),
  );
}
