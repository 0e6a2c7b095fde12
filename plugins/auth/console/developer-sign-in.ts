/*
 * Signs the owner in with one click on a development machine: it asks the hosted pages for a code, reads it in the
 * mailbox that svc keeps there (/dev/mailbox), and sends it. It can do nothing that the person could not do by hand.
 */

const mailbox = '/dev/mailbox';
const waitMs = 250;
const mostWaits = 40;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const textOf = async (address: string): Promise<string> => (await fetch(address)).text();
const newest = (): Promise<string> => textOf(`${mailbox}?newest`);

const post = (address: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(address, { method: 'POST', body: new URLSearchParams(fields) });

/** The code of the newest mail that arrives after `before`; undefined if none does. */
async function codeAfter(before: string): Promise<string | undefined> {
  for (let waits = 0; waits < mostWaits; waits += 1) {
    const id = await newest();
    if (id !== before && id !== '') {
      const mail = await textOf(`${mailbox}?message=${encodeURIComponent(id)}`);
      const found = /\b(\d{3})\s?(\d{3})\b/.exec(mail.replace(/<[^>]*>/g, ' '));
      if (found) return `${found[1] ?? ''}${found[2] ?? ''}`;
    }
    await pause(waitMs);
  }
  return undefined;
}

/** @returns why it is not possible; undefined if the browser is signed in now */
export default async function developerSignIn(signInUrl: string, email: string): Promise<string | undefined> {
  const box = await fetch(`${mailbox}?newest`);
  if (!box.ok) return 'Mail is sent through SVC_SMTP_URL here. Sign in with the code that arrives there.';
  const before = await box.text();
  await fetch(signInUrl);
  const asked = await post(signInUrl, { do: 'code', email });
  const code = await codeAfter(before);
  if (code === undefined) return `No code arrived in ${mailbox}. Sign in on the page itself.`;
  const answer = await post(asked.url, { do: 'verify', code });
  return answer.ok && !answer.url.includes('/signin') ? undefined : 'More is needed to sign in. Use the page itself.';
}
