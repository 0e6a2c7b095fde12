import { rmSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { counted } from '#config/counted.js';
import { CliError, unreadable } from '../errors.js';
import { painter } from '../terminal/colours.js';
import { oneLine } from '../terminal/sanitize.js';
import type { Found, Note } from './found.js';

/** Notes with the same reason that the summary names. A file from `--report` has all of them. */
const shownNotes = 20;
/** Records of each kind that a dry run shows. */
const shownExamples = 3;
/** What a key may make (decision 8). */
const callsPerMinute = 600;

interface NoteGroup {
  readonly reason: string;
  readonly failed: boolean;
  count: number;
  readonly first: Note[];
}

type Counts = Readonly<Record<string, number>>;

export interface Summary {
  readonly service: string;
  readonly dryRun: boolean;
  readonly files: Counts;
  /** What the files contain, in svc's terms. */
  readonly planned: Counts;
  /** What was written; a repeated run writes nothing. */
  readonly written: Counts;
  /** Minutes that the calls for single people take at least, at 600 calls a minute. */
  readonly minutes: number;
  readonly failed: readonly Readonly<NoteGroup>[];
  readonly skipped: readonly Readonly<NoteGroup>[];
  readonly examples: Readonly<Record<string, readonly unknown[]>>;
}

/** Counts what a move finds and writes. Only totals and the first of each kind are kept in memory. */
export interface MoveReport {
  /** Counts a record that was read. */
  plan(found: Found): void;
  /** Writes the notes so far to the file of `--report`. */
  flushed(): Promise<void>;
  wrote(what: string, count?: number): void;
  /** Something could not be written. */
  note(note: Note): Promise<void>;
  readonly planned: ReadonlyMap<string, number>;
  summary(): Summary;
  /** Completes the file of `--report`. */
  close(): Promise<void>;
  /** Removes the unfinished file, after a failure: it would hold addresses that nobody expects there. */
  discard(): Promise<void>;
}

/**
 * @param path of `--report`
 * @param withIp whether consents with an IP address need separate calls
 */
export async function createReport(
  service: string,
  dryRun: boolean,
  path: string | undefined,
  withIp: boolean,
): Promise<MoveReport> {
  const files = new Map<string, number>();
  const planned = new Map<string, number>();
  const written = new Map<string, number>();
  const groups = new Map<string, NoteGroup>();
  const examples = new Map<string, unknown[]>();
  const file = path === undefined ? undefined : await createNotesFile(path);
  const add = (counts: Map<string, number>, what: string, count = 1): unknown =>
    counts.set(what, (counts.get(what) ?? 0) + count);
  let calls = 0;
  const plan = (what: string, example: unknown): void => {
    add(planned, what);
    const shown = examples.get(what) ?? [];
    if (shown.length < shownExamples) examples.set(what, [...shown, example]);
  };
  const keep = (note: Note): void => {
    const key = `${note.failed} ${kindOf(note.reason)} ${note.column ?? ''}`;
    const reason = note.column === undefined ? note.reason : `${note.column}: ${note.reason}`;
    const group = groups.get(key) ?? { reason, failed: note.failed, count: 0, first: [] };
    group.count++;
    if (group.first.length < shownNotes) group.first.push(note);
    groups.set(key, group);
  };
  const ofGroups = (failed: boolean): NoteGroup[] => [...groups.values()].filter((group) => group.failed === failed);
  const report: MoveReport = {
    planned,
    plan({ place, notes, person, user, template }) {
      add(files, place.file);
      for (const note of notes) {
        keep(note);
        file?.add(note);
      }
      if (person) {
        const { email, contact, consents, optOuts, suppression } = person;
        if (contact) plan('contacts', contact);
        for (const { reason, ...consent } of consents)
          plan(`consents to ${consent.topic}: ${reason}`, { email, ...consent });
        for (const { reason, ...optOut } of optOuts)
          plan(`opt-outs from ${optOut.topic ?? 'all topics'}: ${reason}`, { email, ...optOut });
        calls +=
          optOuts.length + (suppression ? 2 : 0) + (withIp ? consents.filter(({ ip }) => ip !== undefined).length : 0);
        if (suppression) plan(`suppressions: ${suppression.reason}`, { email, note: suppression.note });
      }
      if (user) {
        const { passwordHash, totpSecret, ...row } = user.row;
        const example = {
          ...row,
          ...(passwordHash === undefined ? {} : { passwordHash: `${passwordHash.slice(0, 7)}…` }),
          ...(totpSecret === undefined ? {} : { totpSecret: '…' }),
        };
        plan(passwordHash === undefined ? 'users without a password' : 'users with a password', example);
        calls += (user.privateMetadata ? 2 : 0) + (user.banned === undefined ? 0 : 2);
        if (user.further.length > 0) plan('further addresses and numbers of users', user.further[0]);
        if (user.privateMetadata) plan('private metadata of users', { externalId: row.externalId });
        if (user.banned !== undefined) plan('bans', { externalId: row.externalId, reason: user.banned });
      }
      if (template) {
        const isWhole = template.untranslated.length === 0;
        plan(isWhole ? 'template drafts' : 'template drafts with parts that are not translated', {
          name: template.name,
          subject: template.subject,
        });
      }
    },
    wrote(what, count = 1) {
      if (count > 0) add(written, what, count);
    },
    flushed: async () => file?.flushed(),
    async note(note) {
      keep(note);
      file?.add(note);
      await file?.flushed();
    },
    summary: () => ({
      service,
      dryRun,
      files: Object.fromEntries(files),
      planned: Object.fromEntries(planned),
      written: Object.fromEntries(written),
      minutes: Math.ceil(calls / callsPerMinute),
      failed: ofGroups(true),
      skipped: ofGroups(false),
      examples: dryRun ? Object.fromEntries(examples) : {},
    }),
    close: async () => file?.close(report.summary()),
    discard: async () => file?.discard(),
  };
  return report;
}

/** The reason without ids, names and numbers in it: what is counted together. */
const kindOf = (reason: string): string =>
  /^[a-z_]+: /.test(reason) ? reason.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+|\([^)]*\)/gi, '…') : reason;

interface NotesFile {
  add(note: Note): void;
  flushed(): Promise<void>;
  close(summary: Summary): Promise<void>;
  discard(): Promise<void>;
}

/** Writes notes as they come. The file has its name once it is complete. @throws CliError */
async function createNotesFile(path: string): Promise<NotesFile> {
  const part = `${path}.part`;
  const file = await open(part, 'w', 0o600).catch((error: unknown): FileHandle => {
    throw new CliError(
      unreadable(part, error).replace('read', 'written'),
      'Pass --report with a path that you may write.',
    );
  });
  // Ctrl-C removes the unfinished file too.
  const interrupted = (signal: NodeJS.Signals): void => {
    rmSync(part, { force: true });
    process.kill(process.pid, signal);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const end = async (): Promise<void> => {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await file.close();
  };
  let pending = '{\n"notMoved": [';
  let isFirst = true;
  const flushed = async (): Promise<void> => {
    const text = pending;
    pending = '';
    if (text !== '') await file.write(text);
  };
  return {
    add({ place, ...note }) {
      pending += `${isFirst ? '' : ','}\n${JSON.stringify({ ...place, ...note })}`;
      isFirst = false;
    },
    flushed: async () => {
      if (pending.length > 65_536) await flushed();
    },
    async close(summary) {
      pending += `\n],\n"summary": ${JSON.stringify(summary, null, 2)}\n}\n`;
      await flushed();
      await end();
      await rename(part, path);
    },
    async discard() {
      await end();
      await rm(part, { force: true });
    },
  };
}

/** The report for people. */
export function summaryText({
  service,
  dryRun,
  files,
  planned,
  written,
  minutes,
  failed,
  skipped,
  examples,
}: Summary): string {
  const { bold, red, yellow, dim } = painter(process.stdout);
  const rows = Object.values(files).reduce((sum, count) => sum + count, 0);
  const list = (title: string, counts: Counts): string[] =>
    Object.keys(counts).length === 0
      ? []
      : [
          bold(title),
          ...Object.entries(counts).map(([what, count]) => `${String(count).padStart(9)}  ${oneLine(what)}`),
          '',
        ];
  const notes = (title: string, groups: Summary['failed'], paint: (text: string) => string): string[] =>
    groups.length === 0 ? [] : [bold(title), ...groups.map((group) => groupText(group, paint)), ''];
  return [
    `${service}: ${counted(rows, 'record')} in ${counted(Object.keys(files).length, 'file')}.`,
    '',
    ...list(dryRun ? 'Would be moved' : 'In the files', planned),
    ...(dryRun ? [] : list('Written', written)),
    ...(!dryRun && Object.keys(written).length === 0 ? ['Nothing was written: everything was here already.', ''] : []),
    ...Object.entries(examples).flatMap(([what, shown]) => [
      bold(`For example, ${what}`),
      ...shown.map((each) => `  ${dim(oneLine(JSON.stringify(each)))}`),
      '',
    ]),
    ...notes('Left out on purpose', skipped, yellow),
    ...notes('Not moved', failed, red),
    ...(dryRun && minutes > 1
      ? [`Opt-outs, suppressions and consents with IP addresses need separate calls: about ${minutes} minutes.`]
      : []),
    ...(dryRun ? ['Nothing was written: this was a dry run.'] : []),
  ].join('\n');
}

function groupText({ reason, count, first }: Readonly<NoteGroup>, paint: (text: string) => string): string {
  const places = first
    .slice(0, 3)
    .map(({ place: { file, line }, who }) => `${file}:${line}${who === undefined ? '' : ` (${who})`}`);
  const more = count > places.length ? ` and ${count - places.length} more` : '';
  return `${String(count).padStart(9)}  ${paint(oneLine(reason))}: ${oneLine(places.join(', '))}${more}`;
}
