import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pathOf } from '#core/kernel/operation.js';
import { migrationsFolder } from '#core/platform/migrations-folder.js';
import { findMigrations } from '#core/runtime/database/migrate.js';
import { startNode } from '#test/faults/support/node.js';
import { eventually } from '#test/support/eventually.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { isMariaDb, load, lost, oldVersion, secretKey, type OldRead, type OldVersion } from './old-version.js';

/**
 * Versions before larger changes of the tables: no sign-in and no texts yet; every product; sealed keys and counters.
 */
const dates = ['2026-11-21', '2026-11-23', '2026-11-24', '2026-11-25'];

/**
 * What may differ: what a later call changes, what was still being delivered when it was read, built-in texts, and
 * content that is rendered now.
 */
const mayDiffer = [
  /^developers\.key\.(current|list) (rateLimit\.|.*\.lastUsedAt$)/,
  /^developers\.webhook\.(deliveries\.list|delivery\.get|get health)/,
  /^developers\.event\.get deliveries/,
  /^email\.template\.list /,
  /^email\.message\.get content\./,
  // Sentences for people, which the code writes.
  /^(email|sms)\.message\.(get|list) .*blocked\.fix$/,
  /^email\.domain\.(get|list) .*(blocker|fix)$/,
  /^(email|sms)\.[a-z.]+ .*(problems\[\d+\]\.(message|fix)|templates?(\[\d+\])?\.description)$/,
  // Off since 26 November where nobody used it.
  /^auth\.settings\.get (settings|defaults)\.methods\.sms\.enabled$/,
];

const differences = (read: OldRead, now: unknown): string[] =>
  lost(read.result, now)
    .map((path) => `${read.operation} ${path}`)
    .filter((each) => !mayDiffer.some((pattern) => pattern.test(each)));

for (const date of dates)
  for (const isKilled of [false, true])
    describe(`An upgrade from the version of ${date}${isKilled ? ', killed in the middle of its migrations' : ''}`, function () {
      this.timeout(120_000);
      needProducts('email', 'audience', 'auth', 'sms', 'billing', 'developers');
      const old = oldVersion(date);
      before(async function () {
        if (!(await isMariaDb())) this.skip();
      });
      const platform = usePlatform({
        database: 'empty',
        settings: () => ({
          SVC_SECRET_KEY: secretKey,
          // No worker sends what was queued. Events of the first version are listed once a worker has given them
          // positions.
          ...(date === dates[0] ? {} : { SVC_ROLE: 'api' }),
        }),
        databaseUrl: async (url) => {
          await load(url, old);
          if (isKilled) await killStarts(url, old);
          return url;
        },
      });
      before(() => platform.clock.advance(Date.parse(`${date}T23:59:00.000Z`) - Date.now()));

      const keyOf = (env: 'live' | 'test') => old.keys[env];

      /** Waits until as many events are listed as the old version listed. */
      const eventsListed = (): Promise<void> =>
        eventually(async () => {
          const { events } = await platform.api.call('developers.event.list', {}, { key: keyOf('live') });
          const listed = old.reads.find(
            ({ env, operation }) => env === 'live' && operation === 'developers.event.list',
          );
          const before = at(listed?.result, 'events');
          return !Array.isArray(before) || events.length >= before.length;
        }, 'the events of the old version');

      it('reads everything that was there, as it was', async () => {
        expect(old.reads).to.not.be.empty;
        await eventsListed();
        const found: string[] = [];
        // Keys of test environments read the audit records of their own environment only since 26 November.
        const reads = old.reads.filter(
          ({ env, operation }) => env === 'live' || !operation.startsWith('account.activity.'),
        );
        for (const read of reads) {
          const answer = await platform.api.raw(pathOf(read.operation), JSON.stringify(read.input), {
            key: keyOf(read.env),
          });
          expect(answer.status, `${read.operation} ${answer.text}`).to.equal(200);
          found.push(...differences(read, at(JSON.parse(answer.text), 'result')));
        }
        expect(found).to.deep.equal([]);
      });

      it('answers repeats of calls that the old version answered, with what it had encrypted', async () => {
        const message = {
          to: 'ada@example.com',
          subject: 'Your order {{ number }}',
          text: 'It is on its way.',
          variables: { number: 'A-1' },
          attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'aGVsbG8=' }],
        };
        const key = { name: 'Upgrade', permissions: ['account:read'] };
        for (const [path, input, idempotencyKey] of [
          ['/email/send', message, 'upgrade-live'],
          ['/developers/key/create', key, 'upgrade-key-live'],
        ] as const) {
          const answer = await platform.api.raw(path, JSON.stringify(input), { key: keyOf('live'), idempotencyKey });
          expect([answer.status, answer.headers.get('Idempotent-Replayed')], answer.text).to.deep.equal([200, 'true']);
        }
      });

      it('takes new calls', async () => {
        const contact = await platform.api.call(
          'audience.contact.upsert',
          { email: 'new@example.com' },
          { key: keyOf('live') },
        );
        expect(contact.contact.email).to.equal('new@example.com');
      });
    });

/** Kills two starts on the database between a statement and its record: the first statement, and one in the middle. */
async function killStarts(url: string, { dump }: OldVersion): Promise<void> {
  const migrations = await findMigrations(migrationsFolder, await readdir(migrationsFolder));
  const recorded = dump.match(/^INSERT INTO `svc_migration`/gm)?.length ?? 0;
  const pending = migrations.flatMap(({ statements }) => statements).length - recorded;
  const folder = await mkdtemp(join(tmpdir(), 'svc-upgrade-'));
  const settings = {
    SVC_PORT: '0',
    SVC_STATE_DIR: folder,
    SVC_SECRET_KEY: secretKey,
    SVC_DATABASE_URL: url,
    SVC_ROLE: 'api',
    SVC_LOG_LEVEL: 'silent',
  };
  for (const statement of [1, Math.ceil(pending / 2)]) {
    const node = await startNode({ ...settings, SVC_FAULT: `migrate.record.before:${statement}` });
    await node.diedAtPoint();
  }
  await rm(folder, { recursive: true, force: true });
}
