import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isSvcError, Svc } from 'svc-sdk';

/** Columns of the file, and the contact's field that each fills. */
const columns = {
  Email: 'email',
  'First name': 'firstName',
  'Last name': 'lastName',
  Plan: 'properties.plan',
  Orders: 'properties.orders',
};

const svc = new Svc({
  baseUrl: process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['SVC_API_KEY'],
});

/** Follows an import to its end. @returns how many rows were refused */
async function follow(importId: string): Promise<number> {
  for (;;) {
    const { import: progress } = await svc.audience.import.get({ importId });
    const { status, processed, total, created, updated, rejected } = progress;
    console.log(
      `${status}: ${processed} of ${total} rows, ${created} created, ${updated} updated, ${rejected} refused`,
    );
    if (status === 'done' || status === 'failed') return rejected;
    await wait(500);
  }
}

/** Prints every refused row, page by page. */
async function printRejected(importId: string): Promise<void> {
  let before: string | undefined;
  do {
    const page = await svc.audience.import.get({ importId, ...(before === undefined ? {} : { before }) });
    for (const { row, code, message } of page.rejected) console.log(`row ${row}: ${code}: ${message}`);
    before = page.nextBefore ?? undefined;
  } while (before !== undefined);
}

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: npx tsx import-contacts.ts <file.csv>');
  process.exit(1);
}
try {
  const { import: accepted } = await svc.audience.contact.import({ csv: await readFile(path, 'utf8'), columns });
  if ((await follow(accepted.id)) > 0) await printRejected(accepted.id);
} catch (error) {
  if (!isSvcError(error)) throw error;
  console.error(`${error.code}: ${error.message}\n${error.fix}`);
  process.exitCode = 1;
}
