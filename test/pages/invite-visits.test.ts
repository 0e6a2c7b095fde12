import { expect } from 'chai';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { atOwnShard } from '#core/runtime/shard.js';
import { inviteTexts } from '#plugins/account/members/invite-texts/translations.js';
import { addMember } from '#test/account/support.js';
import { dashboardSession } from '#test/account/dashboard/support.js';
import { appOf, type App } from '#test/auth/factor/support.js';
import { visitor, type Shown, type Visitor } from '#test/auth/pages/visitor.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { apiAt } from '#test/support/api.js';
import { minutes, seconds } from '#test/support/clock.js';
import { at } from '#test/support/json.js';

const { accept, problems } = inviteTexts.en;

describe('Visits of an invitation’s page', () => {
  const test = useSignInMail();
  const { platform } = test;
  // All visits come from one address.
  beforeEach(() => platform.clock.advance(minutes(61)));

  const newToken = (): string => `svc_iv_${randomToken(43)}`;
  const invited = async (): Promise<{ page: string; email: string; isMember: () => Promise<boolean> }> => {
    const token = newToken();
    const email = `ada-${randomToken(6).toLowerCase()}@example.com`;
    const { id } = await addMember(platform, await platform.account(), {
      role: 'developer',
      status: 'invited',
      email,
      token,
    });
    const active = `id = UNHEX('${id.replaceAll('-', '')}') AND status = 'active'`;
    const isMember = async (): Promise<boolean> => (await platform.count('account_member', active)) === 1;
    return { page: `/invite?token=${token}`, email, isMember };
  };
  /** Has a code sent, and submits it. */
  const enterCode = async (
    browser: Visitor,
    { page, email }: { page: string; email: string },
    mails = 1,
  ): Promise<Shown> => {
    await browser.open(page);
    const asked = await browser.submit(page, { do: 'start' });
    const challengeId = new URL(asked.path, platform.running.address).searchParams.get('challenge') ?? '';
    return browser.submit(asked.path, { do: 'code', challengeId, code: await test.codeTo(email, mails) });
  };

  it('let a whole team join from one office, within minutes', async () => {
    const team = await Promise.all(Array.from({ length: 10 }, invited));
    for (const person of team) {
      const joined = await enterCode(visitor(platform), person);
      expect([joined.status, joined.text.includes(accept.doneHeading)]).to.deep.equal([200, true]);
      expect(await person.isMember()).to.equal(true);
    }
  });

  it('count guesses per IP address, and whoever has a link is not kept out by them', async () => {
    const browser = visitor(platform);
    const { page } = await invited();
    for (let n = 0; n < 20; n += 1) expect((await browser.open(`/invite?token=${newToken()}`)).status).to.equal(404);
    const guess = await browser.open(`/invite?token=${newToken()}`);
    expect([guess.status, guess.text.includes(problems.limited.heading)]).to.deep.equal([429, true]);
    expect((await browser.open(page)).status).to.equal(200);
  });

  it('are limited per invitation', async () => {
    const browser = visitor(platform);
    const { page } = await invited();
    for (let n = 0; n < 60; n += 1) await browser.open(page);
    expect((await browser.open(page)).status).to.equal(429);
  });

  describe('of somebody with a second factor', () => {
    /** Sets up an authenticator app for the dashboard. */
    const protect = async (email: string): Promise<App> => {
      const { accessToken } = await dashboardSession(platform, email);
      const key = String(
        at(
          await (await fetch(atOwnShard(`${platform.running.address}/openapi.json`))).json(),
          'x-svc-dashboard',
          'publishableKey',
        ),
      );
      const api = apiAt(
        () => platform.running.address,
        () => key,
        () => platform.running.registry,
      );
      const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
      const app = appOf(platform, secret);
      await api.call('auth.factor.totp.activate', { accessToken, factorId, code: app.code() });
      platform.clock.advance(seconds(30));
      await test.mailsTo(email); // the notice
      return app;
    };

    it('ask for its code on a page that can be loaded again', async () => {
      const browser = visitor(platform);
      const person = await invited();
      const app = await protect(person.email);
      const asked = await enterCode(browser, person, 2);
      expect(asked.path).to.match(/&step=second$/);
      for (let n = 0; n < 6; n += 1) expect((await browser.open(asked.path)).text).to.contain(accept.secondCode);
      const wrong = await browser.submit(asked.path, {
        do: 'second',
        code: app.code() === '111111' ? '222222' : '111111',
      });
      for (let n = 0; n < 6; n += 1) {
        const again = await browser.open(wrong.path);
        expect(again.text).to.contain(accept.mistakes.wrongCode).and.contain(accept.secondCode);
      }
      expect(await person.isMember()).to.equal(false);
      const joined = await browser.submit(wrong.path, { do: 'second', code: app.code() });
      expect([joined.status, joined.text.includes(accept.doneHeading)]).to.deep.equal([200, true]);
      expect(await person.isMember()).to.equal(true);
      expect([...browser.cookies.keys()].filter((name) => name.includes('svc_invite'))).to.deep.equal([]);
    });

    it('begin again where the sign-in is not this browser’s, or has ended', async () => {
      const person = await invited();
      const app = await protect(person.email);
      const asked = await enterCode(visitor(platform), person, 2);
      const other = visitor(platform);
      for (const [cookie, mistake] of [
        [null, accept.mistakes.nothingWaits],
        ['svc_refresh_other', accept.mistakes.codeEnded],
      ] as const) {
        if (cookie !== null) other.keep(cookie, 'kept');
        expect((await other.open(asked.path)).text)
          .to.contain(mistake)
          .and.contain(accept.sendCode)
          .and.not.contain(accept.secondCode);
        const refused = await other.submit(asked.path, { do: 'second', code: app.code() });
        expect(refused.text).to.contain(mistake).and.contain(accept.sendCode);
      }
      expect(await person.isMember()).to.equal(false);
    });

    it('say that the browser may not keep cookies if it sends none with the second step', async () => {
      const person = await invited();
      await protect(person.email);
      const browser = visitor(platform);
      const asked = await browser.submit(person.page, { do: 'start' });
      const challengeId = new URL(asked.path, platform.running.address).searchParams.get('challenge') ?? '';
      const code = await test.codeTo(person.email, 2);
      const answer = await browser.post(asked.path, { do: 'code', challengeId, code });
      browser.forget(/./);
      expect((await browser.open(`/invite${answer.location ?? ''}`)).text)
        .to.contain('your browser is blocking cookies')
        .and.contain(accept.sendCode);
    });
  });
});
