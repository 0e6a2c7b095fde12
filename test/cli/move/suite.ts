import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { mover, type Moved } from './support.js';

export type Client = TestAccount['svc'];

/** An account for one test. */
export interface Mover {
  /** Runs `svc move from` with the account’s live key. */
  readonly move: (...words: string[]) => Promise<Moved>;
  readonly svc: Client;
  /** The account’s live key. */
  readonly key: string;
  readonly signIn: (email: string, password: string) => Promise<unknown>;
}

export interface MoveSuite {
  readonly platform: TestPlatform;
  /** A new account with the topics news and offers. */
  readonly start: () => Promise<Mover>;
  readonly folder: () => string;
  /** Writes a file. @returns its path */
  readonly write: (name: string, content: string | Buffer) => Promise<string>;
}

/** What the suites share: one server, and a folder. Call it inside `describe`. */
export function moveSuite(platform: TestPlatform): MoveSuite {
  const state = { folder: '' };
  before(async () => void (state.folder = await mkdtemp(join(tmpdir(), 'svc-move-'))));
  after(() => rm(state.folder, { recursive: true, force: true }));
  return {
    platform,
    folder: () => state.folder,
    async start() {
      const { keys, svc } = await platform.account();
      await svc.call('audience.topic.create', { key: 'news', name: 'Newsletter' });
      await svc.call('audience.topic.create', { key: 'offers', name: 'Offers' });
      const signIn = (email: string, password: string) =>
        platform.api.call('auth.password.signin', { email, password }, { key: keys.live.publishable });
      return { move: mover(platform.running.address, keys.live.secret), svc, key: keys.live.secret, signIn };
    },
    async write(name, content) {
      const path = join(state.folder, name);
      await writeFile(path, content);
      return path;
    },
  };
}
