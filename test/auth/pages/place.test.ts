import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { berlinEverywhere } from '#test/auth/session/geoip-file.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { accountPage, inside } from './inside.js';

describe('The place of a session on the account page', () => {
  const files: { folder?: string } = {};
  const test = useSignInMail({
    async settings() {
      files.folder = await mkdtemp(join(tmpdir(), 'svc-places-'));
      const path = join(files.folder, 'cities.mmdb');
      await writeFile(path, berlinEverywhere());
      return { SVC_GEOIP_FILE: path };
    },
  });
  after(async () => rm(files.folder ?? '', { recursive: true, force: true }));

  it('is named in the reader’s language, else in English', async () => {
    const account = await test.platform.account();
    for (const [language, place] of [
      ['de', 'Berlin, Deutschland · 127.0.0.1'],
      ['fr', 'Berlin, Germany · 127.0.0.1'],
    ] as const) {
      const browser = await inside(test, account, `${language}@example.com`, 1, language);
      expect((await browser.get(accountPage(account))).text).to.contain(place);
    }
  });
});
