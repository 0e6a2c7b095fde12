import { Argument, Option, type Command } from 'commander';
import type { CliCatalogue } from './command-catalogue.js';
import { examplesOf } from './commands.js';
import { ownOptions, type OwnOptions } from './options.js';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Adds the commands that are not operations. Each loads its code when it runs, to keep the start short. */
export function addBuiltins(program: Command, catalogue: CliCatalogue): void {
  addLogin(program);
  addLogout(program);
  addWhoami(program);
  addEnv(program);
  addProfiles(program);
  addOpen(program);
  addListen(program);
  addDoctor(program, catalogue);
  addMove(program);
  addPrivacy(program, catalogue);
  addMcp(program);
  addCompletion(program, catalogue);
}

function add(program: Command, name: string, summary: string, examples: readonly string[]): Command {
  return program
    .command(name)
    .copyInheritedSettings(program)
    .description(summary)
    .allowExcessArguments(false)
    .addHelpText('after', examplesOf(examples));
}

/** The action of a command, called with the common options and its own. */
const run =
  (command: Command, work: (own: OwnOptions, options: Readonly<Record<string, unknown>>) => Promise<void> | void) =>
  async (): Promise<void> => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    await work(ownOptions(options), options);
  };

function addLogin(program: Command): void {
  const login = add(
    program,
    'login',
    'Sign in to a server in the browser, or store its keys: each environment, test and live, then has its own profile.',
    [
      'svc login --base-url https://svc.example.com',
      'svc login --from var/first-run.json',
      'svc login --key svc_test_… --publishable-key svc_test_pk… --base-url https://svc.example.com --profile shop   # shop-test',
      'svc login --key - < key.txt',
    ],
  )
    .option(
      '--key <key>',
      'a secret or publishable key; - reads it from standard input, which keeps it out of the shell’s history',
    )
    .option('--publishable-key <key>', 'the environment’s publishable key, for operations that need one')
    .option('--access-token <token>', 'a signed-in user’s access token, for operations that act as a user')
    .option(
      '--from <first-run.json>',
      'the file that the server’s first start wrote; stores its test and its live keys',
    )
    .option('--refresh-token <token>', 'with --access-token: the token that refreshes it')
    .option('--env <words>', 'sign in: the environment to act in, by its id or by words of account, project and kind')
    .option('--shard <number>', 'sign in: the shard of your account, if the server has several')
    .option('--no-browser', 'sign in: only print the address')
    .option('--live', 'with --from: use the live profile from now on, not the test one');
  login.action(
    run(login, async (own, { key, publishableKey, accessToken, refreshToken, from, live, env, shard, browser }) =>
      (await import('./builtin/login.js')).login({
        ...own,
        key: textOf(key),
        publishableKey: textOf(publishableKey),
        accessToken: textOf(accessToken),
        refreshToken: textOf(refreshToken),
        environment: textOf(env),
        shard: textOf(shard),
        browser: browser !== false,
        from: textOf(from),
        live: live === true,
      }),
    ),
  );
}

function addLogout(program: Command): void {
  const logout = add(program, 'logout', 'Sign out, and remove a profile’s keys from this machine.', [
    'svc logout',
    'svc logout --profile live',
  ]);
  logout.action(run(logout, async (own) => (await import('./builtin/login.js')).logout(own)));
}

function addWhoami(program: Command): void {
  const whoami = add(
    program,
    'whoami',
    'Show the account, project, environment and permissions of the key or of who is signed in.',
    ['svc whoami', 'svc whoami --json'],
  );
  whoami.action(run(whoami, async (own) => (await import('./builtin/whoami.js')).whoami(own)));
}

function addEnv(program: Command): void {
  const environments = add(program, 'env', 'Choose the environment that calls act in while you are signed in.', [
    'svc env list',
    'svc env use shop test',
  ]);
  const list = environments.command('list').description('List the environments that you may act in.');
  list.copyInheritedSettings(environments).allowExcessArguments(false);
  list.action(run(list, async (own) => (await import('./builtin/environments.js')).listEnvironments(own)));
  const use = environments
    .command('use')
    .description('Switch to an environment, named by its id or by words of its account, project and kind.')
    .argument('<words...>', 'an id, or words such as: shop test');
  use.copyInheritedSettings(environments);
  use.action(async (words: readonly string[]) =>
    (await import('./builtin/environments.js')).useEnvironment(ownOptions(use.optsWithGlobals()), words),
  );
}

function addProfiles(program: Command): void {
  const profiles = add(program, 'profiles', 'List the profiles, or switch to one with --use.', [
    'svc profiles',
    'svc profiles --use live',
  ]).option('--use <name>', 'make this the current profile');
  profiles.action(
    run(profiles, async (own, { use }) => (await import('./builtin/login.js')).profiles(own, textOf(use))),
  );
}

function addOpen(program: Command): void {
  const open = add(program, 'open', 'Open the server’s API reference.', ['svc open']).option(
    '--no-browser',
    'only print its address',
  );
  open.action(run(open, async (own, { browser }) => (await import('./builtin/open.js')).open(own, browser !== false)));
}

function addListen(program: Command): void {
  const listen = add(
    program,
    'listen',
    'Print the environment’s events as they happen, and forward them to a local address, signed like webhooks.',
    ['svc listen --forward http://localhost:3000/hook', 'svc listen --types email.* --types account.updated'],
  )
    .option('--forward <url>', 'post each event to this address')
    .option(
      '--types <type>',
      'an event’s name or product.* (repeatable)',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option('--secret <secret>', 'the signing secret (default: a new one, which is printed)');
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
}

function addDoctor(program: Command, catalogue: CliCatalogue): void {
  const doctor = add(
    program,
    'doctor',
    'Check server, keys, settings, database, mail server, DNS, clocks and versions, and print how to fix problems.',
    ['svc doctor', 'svc doctor --base-url https://svc.example.com --json'],
  );
  doctor.action(run(doctor, async (own) => (await import('./doctor/index.js')).doctor(own, catalogue)));
}

/** The services whose exports `svc move from` reads. */
const movable = ['listmonk', 'mailchimp', 'brevo', 'clerk', 'auth0', 'firebase'] as const;

const collectTexts = (text: string, before: readonly string[]): readonly string[] => [...before, text];
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

function addMove(program: Command): void {
  const move = add(program, 'move', 'Move contacts, opt-outs, users and templates here from another service.', [
    'svc move from mailchimp export.zip --topic news --dry-run',
    'svc move from auth0 users.json.gz passwords.ndjson --report moved.json',
  ]);
  const from = move
    .command('from')
    .copyInheritedSettings(move)
    .description(
      'Read the export files of a service, and write what they contain. A repeated run changes nothing, and continues an interrupted one. docs/moving.md says for each service what is moved.',
    )
    .addArgument(new Argument('<service>', 'the other service').choices(movable))
    .argument('<files...>', 'its export: CSV, JSON, ZIP archives, gzip')
    .option('--dry-run', 'read everything, print what would be written, and write nothing')
    .option(
      '--topic <key>',
      'the topic of the subscriptions: news, or for one list of the service: "Weekly news=news" (repeatable)',
      collectTexts,
      [],
    )
    .option(
      '--map <column=field>',
      'what a column becomes: firstName, lastName, phone, externalId, locale, timeZone, properties.<key> or ignore (repeatable)',
      collectTexts,
      [],
    )
    .option('--report <file.json>', 'write the report to a file, with every record that was not moved')
    .option('--no-ip', 'move consents without their IP addresses, which need one call for each person')
    .addOption(
      new Option('--subscription <status>', 'listmonk, Brevo: the state that a CSV export was filtered by').choices([
        'confirmed',
        'unconfirmed',
        'unsubscribed',
      ]),
    )
    .option('--no-passwords', 'move users without their passwords')
    .option('--hash-key <base64>', 'Firebase: base64_signer_key of the password hash parameters')
    .option('--salt-separator <base64>', 'Firebase: base64_salt_separator')
    .option('--rounds <number>', 'Firebase: rounds')
    .option('--mem-cost <number>', 'Firebase: mem_cost');
  from.action(async (service: string, files: readonly string[]) => {
    const options: Record<string, unknown> = from.optsWithGlobals();
    await (
      await import('./move/index.js')
    ).moveFrom({
      ...ownOptions(options),
      service,
      files,
      dryRun: options['dryRun'] === true,
      report: textOf(options['report']),
      topics: textsOf(options['topic']),
      map: textsOf(options['map']),
      subscription: textOf(options['subscription']),
      ip: options['ip'] !== false,
      passwords: options['passwords'] !== false,
      firebase: {
        signerKey: textOf(options['hashKey']),
        saltSeparator: textOf(options['saltSeparator']),
        rounds: textOf(options['rounds']),
        memCost: textOf(options['memCost']),
      },
    });
  });
}

function addPrivacy(program: Command, catalogue: CliCatalogue): void {
  const privacy = add(program, 'privacy', 'Answer requests of people about their data.', [
    'svc privacy export --email ada@example.com --out ada',
  ]);
  const person = privacy
    .command('export')
    .copyInheritedSettings(privacy)
    .allowExcessArguments(false)
    .description(
      'Write everything that is stored about a person in the environment: contact, consents, suppressions, mails, texts, user, sessions, events and audit records, as JSON and as a page to read.',
    )
    .option('--email <address>', 'one of the person’s addresses')
    .option('--phone <number>', 'one of the person’s numbers')
    .option('--external-id <id>', 'the person’s id in your own system')
    .option('--contact-id <id>', 'the contact')
    .option('--user-id <id>', 'the user')
    .requiredOption('--out <folder>', 'a new folder for the files');
  person.action(
    run(person, async (own, { email, phone, externalId, contactId, userId, out }) =>
      (await import('./privacy/index.js')).exportPerson(
        {
          ...own,
          email: textOf(email),
          phone: textOf(phone),
          externalId: textOf(externalId),
          contactId: textOf(contactId),
          userId: textOf(userId),
          out: String(out),
        },
        catalogue,
      ),
    ),
  );
}

function addMcp(program: Command): void {
  const mcp = add(program, 'mcp', 'Serve the operations as MCP tools over standard input and output.', [
    'svc mcp',
    'svc mcp --products email,account --mode full',
  ])
    .option('--products <names>', 'only these products, comma-separated')
    .option('--publishable', 'use the publishable key although there is a secret one')
    .addOption(
      new Option(
        '--mode <mode>',
        'full: one tool per operation; compact: three tools that search, describe and call operations',
      ).choices(['full', 'compact']),
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
}

function addCompletion(program: Command, catalogue: CliCatalogue): void {
  const completion = add(program, 'completion', 'Print the completion script for a shell.', [
    'source <(svc completion bash)        # or, in ~/.bashrc',
    'svc completion zsh > "${fpath[1]}/_svc"',
    'svc completion fish > ~/.config/fish/completions/svc.fish',
  ]).argument('<shell>', 'bash, zsh or fish');
  completion.action(async (shell: string) =>
    (await import('./completion/index.js')).printCompletion(program, catalogue, shell),
  );
}
