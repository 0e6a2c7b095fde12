import { Command } from 'commander';
import { addBuiltins } from './builtins.js';
import type { CliCatalogue } from './command-catalogue.js';
import { painter } from './terminal/colours.js';
import { addCommands, examplesOf, operationAt, treeOf } from './commands.js';
import { defaultBaseUrl } from '../default-base-url.js';
import { splitParts } from './input/dotted.js';
import { isSwitch } from './input/flags.js';
import { ownVersion } from '../version.js';

/**
 * Builds the Commander program for one call. Only the called command gets its flags: building all of them would slow
 * the start.
 * @param products the server's products; help marks the others as off. Undefined if they are not known
 * @returns the program and the arguments for it to parse
 */
export function buildProgram(
  catalogue: CliCatalogue,
  argv: readonly string[],
  products?: readonly string[],
): { program: Command; args: string[] } {
  const tree = treeOf(catalogue);
  const operation = operationAt(tree, argv);
  const { rest, parts } = splitParts(argv, (flag) => isSwitch(flag, operation));
  const { bold } = painter(process.stdout);
  const program = new Command('svc')
    .description('Messaging, sign-in, audiences, billing and developer credentials on your own server.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .option('--profile <name>', 'the profile to use (see login)')
    .option('--base-url <url>', `the server’s address (default: SVC_API_URL, the profile’s, or ${defaultBaseUrl})`)
    .option('--json', 'print JSON (the default when not at a terminal)')
    .option('--no-json', 'print tables (the default at a terminal)')
    .option('-y, --yes', 'skip the confirmation of destructive operations')
    .option('--verbose', 'print the server, the request’s id and its duration')
    .usage('<command> [flags]')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: bold,
      // The descriptions name defaults themselves; Commander would add the meaning of a flag without a value.
      optionDescription: ({ description }) => description,
      helpWidth: Math.min(process.stdout.columns || 100, 120),
    })
    .configureOutput({ outputError: () => undefined })
    .helpCommand(false);
  program.commandsGroup('Operations:');
  addCommands(program, tree, { catalogue, args: rest, parts, products });
  program.commandsGroup('Other commands:');
  addBuiltins(program, catalogue);
  program.addHelpText(
    'after',
    [
      examplesOf([
        'svc login --from var/first-run.json',
        'svc account get',
        "svc email send --to ada@example.com --subject 'Hello {{ name }}' --text Hi --variables.name=Ada",
        'svc developers event list --types email.* --json',
        `svc audience contact import --csv @people.csv --columns '{"Email": "email", "Name": "firstName"}'`,
        'svc listen --forward http://localhost:3000/hook',
      ]),
      '\nTo read a flag’s value from a file: --text @letter.txt, or @- for standard input; @@ada is the text @ada.',
      '\nVariables: SVC_API_URL (server), SVC_API_KEY, SVC_PUBLISHABLE_KEY.',
      '\nExit codes: 0 success, 1 server or network error, 2 invalid usage or input, 3 key or permission, 4 not found, 5 conflict, 6 rate limited.',
    ].join('\n'),
  );
  return { program, args: rest };
}
