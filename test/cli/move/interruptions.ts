import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { startSvc } from '../support.js';
import type { Client, Mover, MoveSuite } from './suite.js';
import { startProxy } from './support.js';

/** A call at which the command is killed: before the server has it, or before the command has the answer. */
interface KillPoint {
  readonly operation: string;
  readonly call: number;
  readonly when: 'before' | 'after';
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export function interruptionSuite({ platform, start, folder, write }: MoveSuite): void {
  /** Runs `svc move from`, ends it by a signal at a call, and lets the server finish what it has. */
  const killedAt = async (
    { operation, call, when }: KillPoint,
    key: string,
    words: readonly string[],
    signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM' = 'SIGKILL',
  ): Promise<void> => {
    const state = { calls: 0, isKilled: false };
    const passing = new Set<Promise<unknown>>();
    const proxy = await startProxy(platform.running.address, async (passed) => {
      const isHere = passed.operation === operation && ++state.calls === call;
      const kill = (): void => {
        state.isKilled = true;
        child.kill(signal);
      };
      if (isHere && when === 'before') {
        kill();
        return;
      }
      const forwarded = passed.forward();
      passing.add(forwarded);
      const { status, body } = await forwarded;
      if (isHere) kill();
      else if (!state.isKilled) passed.answer(status, body);
    });
    const child = startSvc(['move', 'from', ...words, '--base-url', proxy.url], { key });
    await new Promise((resolve) => child.once('close', resolve));
    await Promise.all(passing);
    await proxy.close();
    expect(child.signalCode, `killed at ${operation} ${call}`).to.equal(signal);
    platform.clock.advance(minutes(2));
  };

  /** Kills runs at each of the points, then runs it to the end, and compares with a run without interruption. */
  const check = async (
    words: readonly string[],
    points: readonly KillPoint[],
    stateOf: (svc: Client) => Promise<unknown>,
  ): Promise<void> => {
    const runOf = async ({ move }: Mover, name: string) => {
      const path = `${folder()}/${name}.json`;
      const { written, ...moved } = await move(...words, '--report', path);
      const file: unknown = JSON.parse(await readFile(path, 'utf8'));
      return { written, moved: { ...moved, notMoved: isRecord(file) ? file['notMoved'] : undefined } };
    };
    const [whole, interrupted] = [await start(), await start()];
    const expected = await runOf(whole, 'whole');
    for (const point of points)
      await killedAt(point, interrupted.key, [...words, '--report', `${folder()}/interrupted.json`]);
    const { moved } = await runOf(interrupted, 'interrupted');
    expect(moved).to.deep.equal(expected.moved);
    expect(await stateOf(interrupted.svc)).to.deep.equal(await stateOf(whole.svc));
    platform.clock.advance(minutes(2));
    expect((await runOf(interrupted, 'again')).written).to.deep.equal({});
    expect(await stateOf(interrupted.svc)).to.deep.equal(await stateOf(whole.svc));
    expect((await readdir(folder())).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
  };

  describe('interruptions', function () {
    this.timeout(240_000);

    it('leave opt-outs, suppressions, contacts and consents that the next run completes, each once', async () => {
      const listed = (list: string, status: string, ip?: string): object => ({
        ...{ name: list, subscription_status: status, subscription_created_at: '2024-01-02T08:00:00Z' },
        ...(ip === undefined ? {} : { subscription_meta: { optin_ip: ip } }),
      });
      const people = Array.from({ length: 60 }, (_, index) => {
        const ip = index % 2 === 0 ? `192.0.2.${index}` : undefined;
        const kind = ['opted-out', 'blocked', 'single', 'both'][index % 4] ?? '';
        return {
          ...{ email: `${kind}${index}@example.com`, name: `Ada ${index}`, attribs: { index } },
          status: kind === 'blocked' ? 'blocklisted' : 'enabled',
          lists: [
            listed('Weekly', kind === 'opted-out' ? 'unsubscribed' : 'confirmed', ip),
            ...(kind === 'both' ? [listed('Offers', 'unsubscribed'), listed('Old', 'confirmed')] : []),
          ],
        };
      });
      const lines = [...people, { email: 'no-address', status: 'enabled' }].map((each) => JSON.stringify(each));
      const file = await write('interrupted.ndjson', lines.join('\n'));
      await check(
        ['listmonk', file, '--topic', 'Weekly=news', '--topic', 'Offers=offers'],
        [
          { operation: 'audience.contact.import', call: 1, when: 'before' },
          { operation: 'audience.contact.import', call: 1, when: 'after' },
          { operation: 'audience.suppression.add', call: 4, when: 'before' },
          { operation: 'audience.consent.revoke', call: 9, when: 'after' },
          { operation: 'audience.contact.import', call: 2, when: 'after' },
          { operation: 'audience.consent.grant', call: 6, when: 'before' },
          { operation: 'audience.consent.grant', call: 2, when: 'after' },
        ],
        async (svc) => {
          const { contacts } = await svc.call('audience.contact.list', { limit: 100 });
          const { consents } = await svc.call('audience.consent.list', { limit: 100 });
          const { suppressions } = await svc.call('audience.suppression.list', { limit: 100 });
          const emails = new Map(contacts.map(({ id, email }) => [id, email]));
          return {
            contacts: contacts
              .map(({ email, firstName, lastName, properties }) =>
                JSON.stringify([email, firstName, lastName, properties]),
              )
              .sort(),
            consents: consents
              .map(({ contactId, topic, state, source, ip, ...rest }) =>
                JSON.stringify([emails.get(contactId), topic, state, source, ip, state === 'granted' && rest.givenAt]),
              )
              .sort(),
            suppressions: suppressions.map(({ email, note }) => `${email} ${note}`).sort(),
          };
        },
      );
    });

    it('leave an import that the server goes on with while the next run repeats it', async () => {
      const total = 3_000;
      const header = 'Email Address,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID,EUID,NOTES,TAGS';
      const rows = Array.from(
        { length: total },
        (_, index) => `p${index}@example.com,2,2024-02-11 10:00:00,,,,${index},e,,`,
      );
      const file = await write('subscribed_many.csv', [header, ...rows].join('\n'));
      const { move, svc, key } = await start();
      const words = ['mailchimp', file, '--topic', 'news'];
      await killedAt({ operation: 'audience.contact.import', call: 1, when: 'after' }, key, words);
      const { code, planned } = await move(...words);
      expect({ code, planned }).to.deep.equal({
        code: 0,
        planned: { contacts: total, 'consents to news: sign-up (OPTIN_TIME)': total },
      });
      platform.clock.advance(minutes(2));
      const granted = new Set<string>();
      let [records, before] = [0, ''];
      do {
        const page = await svc.call('audience.consent.list', { limit: 100, ...(before === '' ? {} : { before }) });
        for (const { contactId } of page.consents) granted.add(contactId);
        records += page.consents.length;
        before = page.nextBefore ?? '';
      } while (before !== '');
      expect({ records, people: granted.size }).to.deep.equal({ records: total, people: total });
    });

    it('by Ctrl-C leave no part of a report, which has addresses', async () => {
      const { key, move } = await start();
      const file = await write(
        'stopped.ndjson',
        '{"email":"no-address"}\n{"email":"a@example.com","status":"enabled"}',
      );
      const report = `${folder()}/stopped.report`;
      const words = ['listmonk', file, '--topic', 'news', '--report', report];
      const reports = async (): Promise<string[]> =>
        (await readdir(folder())).filter((name) => name.startsWith('stopped.report'));
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        await killedAt({ operation: 'audience.contact.import', call: 1, when: 'before' }, key, words, signal);
        expect(await reports()).to.deep.equal([]);
      }
      await killedAt({ operation: 'audience.contact.import', call: 1, when: 'before' }, key, words);
      expect(await reports(), 'kill -9 cannot be noticed').to.deep.equal(['stopped.report.part']);
      expect(await move(...words)).to.deep.include({ code: 1, written: { 'contacts created': 1 } });
      expect(await reports()).to.deep.equal(['stopped.report']);
    });

    it('leave users whom the next run completes, each once', async () => {
      const users = Array.from({ length: 12 }, (_, index) => ({
        ...{ user_id: `google-oauth2|${index}`, email: `user${index}@example.com`, email_verified: true },
        ...{ blocked: index % 3 === 0, app_metadata: { plan: `p${index}` } },
      }));
      const file = await write('interrupted-users.ndjson', users.map((each) => JSON.stringify(each)).join('\n'));
      await check(
        ['auth0', file],
        [
          { operation: 'auth.user.import', call: 1, when: 'after' },
          { operation: 'auth.user.ban', call: 2, when: 'after' },
          { operation: 'auth.user.update', call: 5, when: 'before' },
        ],
        async (svc) => {
          const { users: found } = await svc.call('auth.user.list', { limit: 100 });
          return found
            .map(({ externalId, email, bannedAt, privateMetadata }) =>
              JSON.stringify([externalId, email, bannedAt !== null, privateMetadata]),
            )
            .sort();
        },
      );
    });
  });
}
