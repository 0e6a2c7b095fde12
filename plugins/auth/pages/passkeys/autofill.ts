import type { PageAnswer, PageRequest } from '#core/kernel/page.js';
import { perIp } from '#core/kernel/limits/named-limit.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { privateHeaders } from '#core/surfaces/pages/page.js';
import passkeyStart from '../../operations/passkey/signin/start.js';
import type { Visit } from '../visit.js';

/*
 * Passkeys in the autofill of the address field (WebAuthn Level 3, section 5.1.4, “conditional” mediation). If the
 * browser supports it, a script requests the options of a ceremony once the page is shown. Without scripts, and in
 * other browsers, the page does not change.
 */

/** Opening the page requests options, so it must not use up the number of sign-ins that an address may start. */
const autofillPerIp = perIp({
  name: 'auth.passkey.autofill',
  max: 120,
  windowSeconds: 600,
  description: '120 in 10 minutes per IP address',
});

/** The options of a ceremony, for the script. @throws the refusals of auth.passkey.signin.start */
export async function autofillOptions(page: PageRequest, visit: Visit): Promise<PageAnswer> {
  const started = await page.call(passkeyStart, {}, { ...visit.options, limits: [autofillPerIp] });
  return { status: 200, type: 'application/json', headers: privateHeaders, body: JSON.stringify(started) };
}

/** The form that the script fills in, with the button value of a sign-in by passkey. */
export const autofillForm = (): Markup => html`
  <form method="post" id="passkey-autofill" hidden>
    <input type="hidden" name="do" value="passkey-signin" />
    <input type="hidden" name="challengeId" value="" />
    <input type="hidden" name="response" value="" />
  </form>
`;

/** A challenge is valid for five minutes: a new one is requested if the field is used later. */
const script = `
const form = document.getElementById('passkey-autofill');
const field = document.querySelector('input[autocomplete~="webauthn"]');
const key = globalThis.PublicKeyCredential;
let running;
async function offer() {
  running?.controller.abort();
  const controller = new AbortController();
  running = { controller, since: Date.now() };
  const { signal } = controller;
  const answer = await fetch(location.href, { method: 'POST', body: new URLSearchParams({ do: 'passkey-options' }), redirect: 'error', signal });
  if (!answer.ok) return;
  const { challengeId, options } = await answer.json();
  const publicKey = key.parseRequestOptionsFromJSON(options);
  form.dataset.offered = challengeId;
  const credential = await navigator.credentials.get({ publicKey, mediation: 'conditional', signal });
  form.elements.challengeId.value = challengeId;
  form.elements.response.value = JSON.stringify(credential.toJSON());
  form.submit();
}
const quietly = () => offer().catch(() => undefined);
if (field && key?.parseRequestOptionsFromJSON && (await key.isConditionalMediationAvailable?.())) {
  quietly();
  field.addEventListener('focus', () => { if (Date.now() - running.since > 240_000) quietly(); });
}
`;

/** What a page with `autofillForm` adds to its answer: the script, and permission for it to call this server. */
export const autofill = { script, policy: { 'connect-src': "'self'" } } as const;
