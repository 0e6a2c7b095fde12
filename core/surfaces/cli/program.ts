import { Command } from 'commander';
import { addBuiltins } from './builtins.js';
import type { CliCatalogue } from './catalogue.js';
import { painter } from './colours.js';
import { addCommands, examplesOf, operationAt, treeOf } from './commands.js';
import { defaultBaseUrl } from '#core/surfaces/default-base-url.js';
import { splitParts } from './dotted.js';
import { isSwitch } from './flags.js';
import { ownVersion } from './version.js';

/**
 * The whole command line for one call, built as far as its words need it: of 228 operations' commands one has its flags made.
 * @returns the program and the words it is to parse
 */
export function buildProgram(catalogue: CliCatalogue, argv: readonly string[]): { program: Command; words: string[] } {
  const tree = treeOf(catalogue);
  const operation = operationAt(tree, argv);
  const { rest, parts } = splitParts(argv, (flag) => isSwitch(flag, operation));
  const { bold } = painter(process.stdout);
  const program = new Command('svc')
    .description('Messaging, sign-in, audiences, billing and developer credentials on your own server.')
    .version(ownVersion(), '-V, --version', 'the version of this command line')
    .helpOption('-h, --help', 'help, on every level')
    .option('--profile <name>', 'which profile to call with (see login)')
    .option('--base-url <url>', `the server to call; else SVC_API_URL, the profile’s, or ${defaultBaseUrl}`)
    .option('--json', 'print the answer as JSON, as pipes and files get it')
    .option('--no-json', 'print tables even into a pipe')
    .option('-y, --yes', 'do not ask before what is destructive')
    .option('--verbose', 'say which server is called, and the ids of the request')
    .usage('<command> [flags]')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: bold,
      helpWidth: Math.min(process.stdout.columns || 100, 120),
    })
    .configureOutput({ outputError: () => undefined })
    .helpCommand(false);
  program.commandsGroup('Operations:');
  addCommands(program, tree, { catalogue, words: rest, parts });
  program.commandsGroup('Around them:');
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
      '\nA flag’s value may stand in a file: --text @letter.txt, or @- for standard input; @@ada is the text @ada.',
      '\nExit codes: 0 done, 1 server or network trouble, 2 usage or invalid input, 3 key or permission, 4 not found, 5 conflict, 6 rate limited.',
    ].join('\n'),
  );
  return { program, words: rest };
}
