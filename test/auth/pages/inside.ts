import { Secret, TOTP } from 'otpauth';
import type { SignInTest } from '#test/auth/sign-in-mail.js';
import type { TestAccount } from '#test/support/platform.js';
import { visitor, type Seen, type Visitor } from './visitor.js';

/**
 * A person who is signed in to the hosted pages by a code.
 * @param mails how many they have got then
 * @param language of their browser
 */
export async function inside(
  test: SignInTest,
  account: TestAccount,
  email: string,
  mails = 1,
  language = 'en',
): Promise<Visitor> {
  const page = `/auth/${account.live.id}/signin`;
  const browser = visitor(test.platform, language);
  await browser.get(page);
  await browser.submit(page, { do: 'code', email });
  await browser.submit(`${page}?step=code`, { do: 'verify', code: await test.codeTo(email, mails) });
  return browser;
}

/** The path of an environment's account page. */
export const accountPage = ({ live }: TestAccount): string => `/auth/${live.id}/account`;

/** What the page shows of an authenticator app that is being set up, and the code that the app shows now. */
export function enrolmentIn(
  { platform }: SignInTest,
  { text }: Seen,
): { factorId: string; secret: string; code: string } {
  const secret = /class="secret">([^<]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
  const timestamp = platform.clock.now().getTime();
  return {
    factorId: /name="factorId" value="([^"]+)"/.exec(text)?.[1] ?? '',
    secret,
    code: new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp }),
  };
}
