import { counted } from '#config/counted.js';
import { listAt, textAt } from '#core/runtime/json.js';
import { CliError, exit } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { wantsJson } from '../output.js';
import { secretConnectionOf } from '../session/connection.js';
import { withProgress } from '../terminal/progress.js';
import { patientCalls, type Call } from './calls.js';
import { entriesOf } from './files/entries.js';
import type { FirebaseHash, Found, MovedPerson, MoveSettings } from './found.js';
import { createReport, summaryText, type MoveReport } from './report.js';
import { auth0 } from './sources/auth0.js';
import { brevo } from './sources/brevo.js';
import { clerk } from './sources/clerk.js';
import { firebase } from './sources/firebase.js';
import { listmonk } from './sources/listmonk.js';
import { mailchimp } from './sources/mailchimp.js';
import type { Source } from './sources/source.js';
import { uniqueTemplates } from './templates/unique.js';
import { createWaits } from './waits.js';
import { createPeopleWriter } from './write-people.js';
import { writeTemplate } from './write-templates.js';
import { createUserWriter } from './write-users.js';

const sources: Readonly<Record<string, Source>> = { listmonk, mailchimp, brevo, clerk, auth0, firebase };

export interface MoveOptions extends OwnOptions {
  readonly service: string;
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly report: string | undefined;
  readonly topics: readonly string[];
  readonly map: readonly string[];
  readonly subscription: string | undefined;
  /** Whether to record the IP addresses of consents. */
  readonly ip: boolean;
  /** Whether users get their passwords. */
  readonly passwords: boolean;
  /** As the flags were given. */
  readonly firebase: Readonly<Record<keyof FirebaseHash, string | undefined>>;
}

/**
 * Moves the exports of another service here. Every file is read to its end before anything is written.
 * @throws CliError for a file that cannot be read, or a topic that does not exist
 */
export async function moveFrom(options: MoveOptions): Promise<void> {
  const source = sources[options.service];
  if (!source)
    throw new CliError(
      `svc has no importer for “${options.service}”.`,
      `Use one of ${Object.keys(sources).join(', ')}.`,
    );
  const settings = settingsOf(options);
  const connection = await secretConnectionOf(options);
  const progress = { text: 'reading' };
  const waits = createWaits(() => progress.text);
  const call = patientCalls(connection, waits);
  const summary = await withProgress(
    () => progress.text + waits.text(),
    async () => {
      const topics = [settings.topic, ...settings.topics.values()].filter((topic) => topic !== undefined);
      if (source.moves === 'contacts') await requireTopics(call, topics);
      const readAll = await source.prepare(await entriesOf(options.files), settings);
      const unique = uniqueTemplates();
      const read = (): AsyncGenerator<Found> => unique(readAll());
      const report = await createReport(source.service, options.dryRun, options.report, options.ip);
      try {
        const kinds = { optedOut: 0, others: 0, templates: 0 };
        let total = 0;
        for await (const found of read()) {
          report.plan(found);
          await report.flushed();
          if (found.person) kinds[hasOptedOut(found.person) ? 'optedOut' : 'others']++;
          if (found.template) kinds.templates++;
          progress.text = `reading: ${counted(++total, 'record')}`;
        }
        if (!options.dryRun)
          await write(source, kinds, read, call, report, options, (done) => {
            progress.text = `writing: ${done} of ${counted(total, 'record')}`;
          });
        await report.close();
        return report.summary();
      } catch (error) {
        await report.discard();
        throw error;
      }
    },
  );
  process.stdout.write(`${wantsJson(options.json) ? JSON.stringify(summary, null, 2) : summaryText(summary)}\n`);
  if (summary.failed.length > 0) process.exitCode = exit.failure;
}

function settingsOf(options: MoveOptions): MoveSettings {
  const pairs = options.topics.map((text) => splitPair(text));
  const topics = new Map(pairs.flatMap(([list, topic]) => (list === undefined ? [] : [[list, topic]])));
  const [topic, second] = pairs.flatMap(([list, key]) => (list === undefined ? [key] : []));
  if (second !== undefined)
    throw new CliError(
      `--topic ${second}: only one topic can be for all lists.`,
      'Name the list of each topic: --topic "Weekly news=news" --topic "Offers=offers".',
    );
  const columns = new Map(
    options.map.map((text) => {
      const [there, here] = splitPair(text);
      if (there === undefined)
        throw new CliError(`--map ${text} has no “=”.`, 'Pass --map "<column there>=<field here>".');
      return [there.toLowerCase(), here];
    }),
  );
  const { subscription, passwords } = options;
  return { topics, topic, columns, subscription, passwords, firebase: firebaseHashOf(options) };
}

/** @throws CliError if only some of the parameters are given */
function firebaseHashOf({ firebase }: MoveOptions): FirebaseHash | undefined {
  const { signerKey, saltSeparator, rounds, memCost } = firebase;
  if ([signerKey, saltSeparator, rounds, memCost].every((each) => each === undefined)) return undefined;
  const [roundCount, memory] = [Number(rounds), Number(memCost)];
  if (
    signerKey === undefined ||
    saltSeparator === undefined ||
    !Number.isSafeInteger(roundCount) ||
    !Number.isSafeInteger(memory)
  )
    throw new CliError(
      'The password hash parameters are not complete.',
      'Pass --hash-key, --salt-separator, --rounds and --mem-cost, as the Firebase console shows them under Authentication, Users, Password hash parameters.',
    );
  return { signerKey, saltSeparator, rounds: roundCount, memCost: memory };
}

/** `a=b` as both parts; the first is undefined without `=`. The last `=` counts: keys here have none. */
function splitPair(text: string): [string | undefined, string] {
  const index = text.lastIndexOf('=');
  return index === -1 ? [undefined, text.trim()] : [text.slice(0, index).trim(), text.slice(index + 1).trim()];
}

/** @throws CliError for a topic that does not exist, or is archived */
async function requireTopics(call: Call, topics: readonly string[]): Promise<void> {
  const found = new Set<string>();
  for (let before: string | null = null; ;) {
    const page: Readonly<Record<string, unknown>> = await call('audience.topic.list', {
      limit: 100,
      ...(before === null ? {} : { before }),
    });
    for (const topic of listAt(page, 'topics'))
      if (listAt(topic, 'channels').includes('email')) found.add(textAt(topic, 'key') ?? '');
    before = textAt(page, 'nextBefore');
    if (before === null) break;
  }
  const missing = topics.find((topic) => !found.has(topic));
  if (missing !== undefined)
    throw new CliError(
      `There is no topic ${missing} for mail.`,
      `Create it with \`svc audience topic create --key ${missing} --name …\`, or pass one of: ${[...found].join(', ') || 'none'}.`,
    );
}

const hasOptedOut = ({ optOuts, suppression }: MovedPerson): boolean => optOuts.length > 0 || suppression !== undefined;

/** How many records of each kind the files contain. */
interface Kinds {
  readonly optedOut: number;
  readonly others: number;
  readonly templates: number;
}

/**
 * Opt-outs come first, in all files, so that nobody is subscribed in between. The files are read once for each kind of
 * record in them.
 */
async function write(
  source: Source,
  kinds: Kinds,
  read: () => AsyncGenerator<Found>,
  call: Call,
  report: MoveReport,
  { ip }: MoveOptions,
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0;
  const people = createPeopleWriter(call, source.service, report, ip);
  for (const optedOut of [true, false]) {
    if ((optedOut ? kinds.optedOut : kinds.others) === 0) continue;
    for await (const { place, person } of read()) {
      if (!person || hasOptedOut(person) !== optedOut) continue;
      await people.add(place, person);
      onProgress(++done);
    }
    await people.end();
  }
  if (kinds.templates > 0)
    for await (const { place, template } of read()) {
      if (!template) continue;
      await writeTemplate(place, template, call, report);
      onProgress(++done);
    }
  if (source.moves === 'contacts') return;
  const users = createUserWriter(call, report);
  for await (const { place, user } of read()) {
    if (!user) continue;
    await users.add(place, user);
    onProgress(++done);
  }
  await users.end();
}
