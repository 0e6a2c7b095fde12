import { Option, type Command } from 'commander';
import type { CliCatalogue } from './catalogue.js';
import { examplesOf } from './commands.js';
import { ownOptions, type OwnOptions } from './options.js';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The commands that are no operations. Each loads its code when it runs: a start must stay short. */
export function addBuiltins(program: Command, catalogue: CliCatalogue): void {
  const add = (name: string, summary: string, examples: readonly string[]): Command =>
    program
      .command(name)
      .copyInheritedSettings(program)
      .description(summary)
      .allowExcessArguments(false)
      .addHelpText('after', examplesOf(examples));
  const run =
    (command: Command, work: (own: OwnOptions, options: Readonly<Record<string, unknown>>) => Promise<void> | void) =>
    async (): Promise<void> => {
      const options: Record<string, unknown> = command.optsWithGlobals();
      await work(ownOptions(options), options);
    };

  const login = add(
    'login',
    'Store a server’s address and an environment’s keys as a profile, and use it from now on.',
    [
      'svc login --from var/first-run.json',
      'svc login --key svc_test_… --publishable-key svc_test_pk… --base-url https://svc.example.com --profile shop',
      'svc login --key - < key.txt',
    ],
  )
    .option('--key <key>', 'a key of either kind; - reads it from standard input, so that no shell history shows it')
    .option('--publishable-key <key>', 'the environment’s publishable key, for operations that need one')
    .option('--access-token <token>', 'a signed-in user’s access token, for operations that act as a user')
    .option('--from <first-run.json>', 'the file that the server’s first start wrote: its address and test keys')
    .option('--live', 'with --from: the live keys');
  login.action(
    run(login, async (own, { key, publishableKey, accessToken, from, live }) =>
      (await import('./builtin/login.js')).login({
        ...own,
        key: textOf(key),
        publishableKey: textOf(publishableKey),
        accessToken: textOf(accessToken),
        from: textOf(from),
        live: live === true,
      }),
    ),
  );

  const logout = add('logout', 'Remove a profile’s keys and user from this machine.', [
    'svc logout',
    'svc logout --profile shop',
  ]);
  logout.action(run(logout, async (own) => (await import('./builtin/login.js')).logout(own)));

  const whoami = add('whoami', 'Show whose key this is, where it acts and what it may do.', [
    'svc whoami',
    'svc whoami --json',
  ]);
  whoami.action(run(whoami, async (own) => (await import('./builtin/whoami.js')).whoami(own)));

  const profiles = add('profiles', 'List the profiles; --use makes one the current.', [
    'svc profiles',
    'svc profiles --use shop',
  ]).option('--use <name>', 'use this profile from now on');
  profiles.action(
    run(profiles, async (own, { use }) => (await import('./builtin/login.js')).profiles(own, textOf(use))),
  );

  const open = add('open', 'Open the server’s reference page.', ['svc open']).option(
    '--no-browser',
    'print its address only',
  );
  open.action(run(open, async (own, { browser }) => (await import('./builtin/open.js')).open(own, browser !== false)));

  const listen = add(
    'listen',
    'Show the environment’s events as they happen, and forward them to a local port, signed as a webhook is.',
    ['svc listen --forward http://localhost:3000/hook', 'svc listen --types email.* --types account.updated'],
  )
    .option('--forward <url>', 'where each event is posted')
    .option(
      '--types <type>',
      'an event’s name or product.*; repeat it for more',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option('--secret <secret>', 'what to sign with; a new one is printed where none is given');
  listen.action(
    run(listen, async (own, { forward, types, secret }) =>
      (await import('./builtin/listen.js')).listen({
        ...own,
        forward: textOf(forward),
        types: Array.isArray(types) ? types.map(String) : [],
        secret: textOf(secret),
      }),
    ),
  );

  const doctor = add(
    'doctor',
    'Look at server, key, settings, database, mail server, DNS, clock and versions: what is wrong, and the mend.',
    ['svc doctor', 'svc doctor --base-url https://svc.example.com --json'],
  );
  doctor.action(run(doctor, async (own) => (await import('./doctor/index.js')).doctor(own, catalogue)));

  const mcp = add(
    'mcp',
    'Serve the operations as MCP tools on standard input and output, for agents that start a program.',
    ['svc mcp', 'svc mcp --products email,account --mode full'],
  )
    .option('--products <names>', 'only these products, separated by commas')
    .option('--publishable', 'serve what the publishable key may call, for a profile that has both keys')
    .addOption(
      new Option('--mode <mode>', 'a tool per operation, or three that find and call them').choices([
        'full',
        'compact',
      ]),
    );
  mcp.action(
    run(mcp, async (own, { products, mode, publishable }) =>
      (await import('./builtin/mcp.js')).mcp({
        ...own,
        products: (textOf(products) ?? '').split(',').filter((name) => name !== ''),
        mode: mode === 'full' || mode === 'compact' ? mode : undefined,
        publishable: publishable === true,
      }),
    ),
  );

  const completion = add('completion', 'Print the completion script of a shell.', [
    'source <(svc completion bash)        # or, in ~/.bashrc',
    'svc completion zsh > "${fpath[1]}/_svc"',
    'svc completion fish > ~/.config/fish/completions/svc.fish',
  ]).argument('<shell>', 'bash, zsh or fish');
  completion.action(async (shell: string) =>
    (await import('./completion/index.js')).printCompletion(program, catalogue, shell),
  );
}
