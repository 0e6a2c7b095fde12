import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { signedIn } from '#test/auth/support.js';
import { searchDatabase } from '#test/support/search-database.js';

describe('Codes, links and tokens of sign-ins', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('are in the mails and answers alone: in no table, event, webhook, audit record, message or log line', async () => {
    const account = await platform.account();
    // Nobody answers there: messages stay in the database, which the test searches.
    const endpoint = { url: 'https://127.0.0.1:1/', eventTypes: ['auth.*', 'email.*'] };
    await account.svc.call('developers.webhook.create', endpoint);
    const app = test.app(account);
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const repeatable = () => ({ idempotencyKey: newId() });
    const [byCode, byLink, added] = ['code@example.com', 'link@example.com', 'added@example.com'] as const;

    const { challengeId } = await app.call('auth.signin.start', { email: byCode }, repeatable());
    const code = await test.codeTo(byCode);
    const signedInByCode = await app.call('auth.signin.verify', { challengeId, code }, repeatable());
    const redirectTo = 'https://app.example.com/';
    const link = { email: byLink, method: 'link', redirectTo, handoff: true } as const;
    await app.call('auth.signin.start', link, repeatable());
    const token = await test.linkTo(byLink);
    const handedOver = await app.call('auth.link.complete', { token }, repeatable());
    const { accessToken } = await signedIn(platform, account.live);
    const adding = await app.call('auth.identity.add', { accessToken, email: added }, repeatable());
    const addingCode = await test.codeTo(added);
    await app.call(
      'auth.identity.verify',
      { accessToken, challengeId: adding.challengeId, code: addingCode },
      repeatable(),
    );
    await platform.settled();

    const canaries = {
      code,
      addingCode,
      linkSecret: token.split('.')[1] ?? '',
      svcCode: new URL(handedOver.redirectTo ?? '').searchParams.get('svc_code') ?? '',
      accessToken: signedInByCode.tokens?.accessToken ?? '',
      refreshToken: signedInByCode.tokens?.refreshToken ?? '',
    };
    const { messages } = await account.svc.call('email.message.list', {});
    const read = await Promise.all(
      messages.map(({ messageId }) => account.svc.call('email.message.get', { messageId })),
    );
    expect(read).to.have.length.greaterThan(3);
    const shown = [JSON.stringify([messages, read]), ...platform.logLines].join('\n');
    for (const [name, canary] of Object.entries(canaries)) {
      expect(canary, name).to.have.length.greaterThan(5);
      expect(await searchDatabase(platform.running.services.database, canary), name).to.deep.equal([]);
      expect(shown.includes(canary), name).to.equal(false);
    }
  });
});
