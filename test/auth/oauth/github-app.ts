import { idBytes } from '#core/runtime/id.js';
import { startGitHub } from '#test/support/github.js';
import { visitProvider } from '#test/support/oidc-provider.js';
import type { InputOf } from '#test/support/api.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { completionOf, locationOf, openPage, redirectTo, type Completion } from './support.js';

export const githubApp: InputOf<'auth.oauth.app.set'> = {
  provider: 'github',
  clientId: 'Iv1.8a61f9b3a7aba766',
  clientSecret: 'github-client-secret',
};

/**
 * A sign-in with GitHub that waits for auth.oauth.complete, in the account's live environment. svc calls providers over
 * plain http in test environments alone, so the environment becomes one.
 */
export async function arrivedFromGitHub(platform: TestPlatform, account: TestAccount): Promise<Completion> {
  const { svc, live, test, keys } = account;
  const key = keys.live.publishable;
  const github = await startGitHub();
  const become = (kind: string, id: string): Promise<unknown> =>
    platform.running.services.database.run('UPDATE svc_environment SET kind = ? WHERE id = ?', [kind, idBytes(id)]);
  // A project has one of each kind.
  await become('none', test.id);
  await become('test', live.id);
  await become('live', test.id);
  await svc.call('auth.settings.set', { redirectUrls: [redirectTo] });
  await svc.call('auth.oauth.app.set', { ...githubApp, issuer: github.url });
  const started = await svc.call('auth.oauth.start', { provider: 'github', redirectTo }, { key });
  const back = await visitProvider(started.authorizationUrl);
  return completionOf(locationOf(await openPage(platform, back)), started);
}
