import { CommanderError } from 'commander';
import { catalogue } from './catalogue.gen.js';
import { treeOf } from './commands.js';
import { CliError, exit, report } from './errors.js';
import { buildProgram } from './program.js';
import { storedProducts } from './session/products.js';

/**
 * Runs one command.
 * @param argv the arguments after `svc`
 * @returns the exit code
 */
export async function main(argv: readonly string[]): Promise<number> {
  // `svc … | head` closes the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : exit.failure));
  try {
    const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
    const isHelp = words.length === 0 || words.some((word) => word === '--help' || word === '-h');
    const { program, args } = buildProgram(catalogue, words, isHelp ? await storedProducts(words) : undefined);
    if (args.length === 0) {
      program.outputHelp();
      return exit.ok;
    }
    await program.parseAsync(args, { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : exit.ok;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error, argv.includes('--json'));
    if (error.exitCode === 0) return exit.ok;
    // A group without a command prints its help.
    if (error.code === 'commander.help') return exit.usage;
    return report(usageError(error, argv), argv.includes('--json'));
  }
}

/** Turns Commander's error into ours, pointing to the help of the nearest known command. */
function usageError(error: CommanderError, argv: readonly string[]): CliError {
  const [message = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  const end = argv.findIndex((word) => word.startsWith('-'));
  const known = argv.slice(0, end === -1 ? argv.length : end);
  const unknownCommand = error.code === 'commander.unknownCommand' ? /'(.+?)'/.exec(message)?.[1] : undefined;
  const isExcess = error.code === 'commander.excessArguments';
  const commands = isExcess ? commandIn(known) : known;
  const at = unknownCommand === undefined ? commands : known.slice(0, known.indexOf(unknownCommand));
  const help = `\`${['svc', ...at, '--help'].join(' ')}\``;
  return new CliError(
    `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`,
    [
      ...suggestion.map((each) => each.replace(/^\((.*)\)$/, '$1')),
      ...(isExcess ? ['Give each value with its flag.'] : []),
      `See ${help}.`,
    ].join(' '),
  );
}

/** The command that the words begin with, without values that follow it. */
function commandIn(words: readonly string[]): readonly string[] {
  let node = treeOf(catalogue);
  const found: string[] = [];
  for (const word of words) {
    const child = node.children.get(word);
    if (!child) break;
    found.push(word);
    node = child;
  }
  // The built-in commands have one word.
  return found.length === 0 ? words.slice(0, 1) : found;
}
