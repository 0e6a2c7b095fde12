import { html, type Markup } from '#core/surfaces/pages/html.js';
import { field } from '../parts.js';
import type { Visit } from '../visit.js';

export interface PasskeyForm {
  /** WebAuthn's options, as returned by the operation that started the ceremony. */
  options: unknown;
  challengeId: string;
  ceremony: 'create' | 'get';
  action: string;
  label: string;
  /** Asks for a name for the new passkey. */
  named?: boolean;
  /** A passkey is the only way to sign in. */
  isOnlyWay?: boolean;
}

/**
 * What the script shows if the ceremony fails. A person who adds a passkey is already signed in, so the texts mention
 * no other way to sign in. Neither do they if there is none.
 */
const ceremonyTexts = (
  { account, passkeyStep }: Visit['texts'],
  ceremony: PasskeyForm['ceremony'],
  isOnlyWay: boolean,
): { unsupported: string; noScript: string; failed: string; onDevice: string | null } =>
  ceremony === 'create'
    ? {
        unsupported: account.passkeyUnsupported,
        noScript: account.passkeyNoScript,
        failed: account.passkeyFailed,
        onDevice: account.passkeyOnDevice,
      }
    : {
        unsupported: isOnlyWay ? account.passkeyUnsupported : passkeyStep.unsupported,
        noScript: isOnlyWay ? passkeyStep.noScriptOnly : passkeyStep.noScript,
        failed: isOnlyWay ? passkeyStep.failedOnly : passkeyStep.failed,
        onDevice: null,
      };

/** The form of a passkey ceremony; script.ts fills it in. */
export function passkeyForm(
  { texts }: Visit,
  { options, challengeId, ceremony, action, label, named = false, isOnlyWay = false }: PasskeyForm,
): Markup {
  const said = ceremonyTexts(texts, ceremony, isOnlyWay);
  return html`
    <div class="said wrong" id="passkey-problem" role="alert" hidden>
      <span class="mark" aria-hidden="true">!</span>
      <p></p>
    </div>
    <p id="no-script">${said.noScript}</p>
    <form
      method="post"
      hidden
      data-options=${JSON.stringify(options)}
      data-ceremony=${ceremony}
      data-unsupported=${said.unsupported}
      data-failed=${said.failed}
      data-on-device=${said.onDevice}
    >
      <input type="hidden" name="challengeId" value=${challengeId} />
      <input type="hidden" name="response" value="" />
      ${
        named &&
        field({ name: 'name', label: texts.account.passkeyName, autocomplete: 'off', maxLength: 120, required: false })
      }
      <div class="stack"><button name="do" value=${action}>${label}</button></div>
    </form>
  `;
}
