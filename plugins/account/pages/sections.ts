import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import type { OpenStep } from './flow.js';
import type { InviteTexts } from '../members/invite-texts/texts.js';

/** Styles of the forms. A form posts to the page's own address, so that the token does not appear in the markup. */
export const styles = `
.accept form { margin: 1rem 0 0; } .accept button, .accept .button { margin-top: 1rem; }
.accept input { max-width: 16rem; } .accept [role=alert] { font-weight: 600; border-inline-start: 4px solid var(--primary); padding-inline-start: .75rem; }
@media (max-width: 39.99rem) { .accept button, .accept .button, .accept input { width: 100%; max-width: none; } }
.accept .command { background: var(--background); border: 1px solid var(--border); border-radius: min(var(--radius), 10px);
  padding: .75rem 1rem; overflow-wrap: anywhere; }
`;

const strong = (text: string): Markup => html`<strong><bdi>${text}</bdi></strong>`;

/** The part of the page that signs the visitor in and accepts. */
export const acceptSection = (step: OpenStep, { accept }: InviteTexts, email: string): Markup => html`
  <section class="note accept" aria-labelledby="next">
    <h2 id="next">${accept.heading}</h2>
    ${'mistake' in step && html`<p id="mistake" role="alert">${accept.mistakes[step.mistake]}</p>`}
    ${formOf(step, accept, email)}
  </section>
`;

function formOf(step: OpenStep, accept: InviteTexts['accept'], email: string): Markup {
  const address = { email: strong(email) };
  const invalid = 'mistake' in step;
  const described = invalid ? { 'aria-invalid': 'true', 'aria-describedby': 'mistake' } : {};
  switch (step.kind) {
    case 'start':
      if (step.signInPage !== undefined)
        return [
          html`<p>${fill(accept.signIn, address)}</p>`,
          html`<a class="button" href=${step.signInPage}>${accept.signInButton}</a>`,
        ];
      return [
        html`<p>${fill(accept.start, address)}</p>`,
        html`<form method="post"><button name="do" value="start">${accept.sendCode}</button></form>`,
      ];
    case 'code':
      return [
        html`<p>${fill(accept.sent, address)}</p>`,
        html`<form method="post">
          <input type="hidden" name="challengeId" value=${step.challengeId} />
          <label for="code">${accept.code}</label>
          <input
            id="code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength="16"
            required
            autofocus
            ...${described}
          />
          <button name="do" value="code">${accept.button}</button>
        </form>`,
        html`<form method="post"><button class="quiet" name="do" value="start">${accept.sendAgain}</button></form>`,
      ];
    case 'second':
      return [
        html`<p>${accept.second}</p>`,
        html`<form method="post">
          <label for="code">${accept.secondCode}</label>
          <input id="code" name="code" autocomplete="one-time-code" maxlength="32" required autofocus ...${described} />
          <button name="do" value="second">${accept.button}</button>
        </form>`,
      ];
    case 'confirm':
      return html`<form method="post">
        <input type="hidden" name="handoffCode" value=${step.handoffCode} />
        <button name="do" value="confirm">${accept.button}</button>
      </form>`;
  }
}
