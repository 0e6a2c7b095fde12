import { html, type Markup } from '#core/surfaces/pages/html.js';
import { field } from './parts.js';
import type { Visit } from './visit.js';

export interface PasskeyForm {
  /** WebAuthn's options, as the operation that started the ceremony returned them. */
  options: unknown;
  challengeId: string;
  ceremony: 'create' | 'get';
  action: string;
  label: string;
  /** Asks for a name of the new passkey. */
  named?: boolean;
}

/** The form of a passkey ceremony; passkey-script.ts fills it in. */
export function passkeyForm(
  { texts }: Visit,
  { options, challengeId, ceremony, action, label, named = false }: PasskeyForm,
): Markup {
  return html`
    <div class="said" id="passkey-problem" role="alert" hidden>
      <span class="mark" aria-hidden="true">!</span>
      <p></p>
    </div>
    <noscript><p>${texts.passkeyStep.unsupported}</p></noscript>
    <form
      method="post"
      data-options=${JSON.stringify(options)}
      data-ceremony=${ceremony}
      data-unsupported=${texts.passkeyStep.unsupported}
      data-failed=${texts.passkeyStep.failed}
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
