import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliCatalogue } from '../command-catalogue.js';
import { CliError, exit } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { print, wantsJson } from '../output.js';
import { secretConnectionOf } from '../session/connection.js';
import { gatherPerson } from './gather.js';
import { pageOf } from './page.js';
import type { Known } from './sections.js';

export interface ExportOptions extends OwnOptions {
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly externalId: string | undefined;
  readonly contactId: string | undefined;
  readonly userId: string | undefined;
  /** The folder to write to. */
  readonly out: string;
}

const setOf = (value: string | undefined): Set<string> => new Set(value === undefined ? [] : [value]);

/**
 * Writes everything that is stored about a person (GDPR, Article 15): person.json, person.html and the attachments of
 * their mails. Only the owner of the files may read them.
 * @throws CliError if no name is given, nothing is found, or the folder is not empty
 */
export async function exportPerson(options: ExportOptions, catalogue: CliCatalogue): Promise<void> {
  const { email, phone, externalId, contactId, userId, out } = options;
  const known: Known = {
    emails: setOf(email),
    phones: setOf(phone),
    externalIds: setOf(externalId),
    contactIds: setOf(contactId),
    userIds: setOf(userId),
  };
  if (Object.values(known).every(({ size }) => size === 0))
    throw new CliError('No person is named.', 'Pass --email, --phone, --external-id, --contact-id or --user-id.');
  const before = await readdir(out).catch(() => []);
  if (before.length > 0) throw new CliError(`The folder ${out} is not empty.`, 'Pass a new folder with --out.');
  const data = await gatherPerson(await secretConnectionOf(options), catalogue, known);
  const counts = Object.fromEntries(Object.entries(data.items).map(([name, items]) => [name, items.length]));
  if (Object.values(counts).every((count) => count === 0))
    throw new CliError(
      'Nothing is stored about this person in this environment.',
      'Check the name, and that the key is of the environment with the person’s data (`svc whoami`).',
      exit.notFound,
    );
  const madeAt = new Date();
  const file = { mode: 0o600 };
  await mkdir(out, { recursive: true, mode: 0o700 });
  await writeFile(
    join(out, 'person.json'),
    `${JSON.stringify({ madeAt, notRead: data.notRead, ...data.items }, null, 2)}\n`,
    file,
  );
  await writeFile(join(out, 'person.html'), pageOf(data, madeAt), file);
  if (data.files.length > 0) await mkdir(join(out, 'attachments'), { mode: 0o700 });
  for (const { name, content } of data.files) await writeFile(join(out, 'attachments', name), content, file);
  const result = { folder: out, ...counts, attachments: data.files.length, notRead: data.notRead };
  print({ activityId: '', result, requestId: '', replayed: false }, wantsJson(options.json));
}
