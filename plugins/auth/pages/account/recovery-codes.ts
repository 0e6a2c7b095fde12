import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { privateHeaders } from '#core/surfaces/pages/page.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import { oneButton, view } from '../parts.js';
import { labelOfUser, type NamedUser } from '../user-label.js';
import type { Visit } from '../visit.js';

/** Shows the button if the browser can copy. */
const copyScript = `
const button = document.getElementById('copy-codes');
const said = document.getElementById('copied');
if (navigator.clipboard?.writeText) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const codes = [...document.querySelectorAll('.codes li')].map((each) => each.textContent.trim());
    said.textContent = '';
    try {
      await navigator.clipboard.writeText(codes.join('\\n'));
      said.textContent = button.dataset.copied;
    } catch {
      said.textContent = button.dataset.notCopied;
    }
  });
}
`;

/** The recovery codes, until the person continues. */
export function recoveryCodesView(visit: Visit, codes: readonly string[]): PageAnswer {
  const { account, common } = visit.texts;
  return view(visit, {
    title: account.recoveryHeading,
    script: copyScript,
    body: html`<div class="card">
      <div role="status"><h1>${account.recoveryHeading}</h1></div>
      <p>${account.recoveryLead}</p>
      <ul class="codes">
        ${codes.map((code) => html`<li>${code}</li>`)}
      </ul>
      <div class="do">
        <a class="button quiet" href="?step=recovery&download=true" download="recovery-codes.txt"
          >${account.downloadCodes}</a
        >
        <button
          type="button"
          class="quiet"
          id="copy-codes"
          hidden
          data-copied=${account.codesCopied}
          data-not-copied=${account.codesNotCopied}
        >
          ${account.copyCodes}
        </button>
      </div>
      <p id="copied" role="status"></p>
      ${oneButton('codes-kept', common.continue, {}, null)}
    </div>`,
  });
}

/** The same codes as a text file. It is not cached, and its address does not contain the codes. */
export function recoveryCodesFile({ texts, theme }: Visit, user: NamedUser, codes: readonly string[]): PageAnswer {
  const title = fillText(texts.account.codesFile, { email: labelOfUser(user), brand: theme.brandName });
  return {
    status: 200,
    type: 'text/plain; charset=utf-8',
    headers: { ...privateHeaders, 'Content-Disposition': 'attachment; filename="recovery-codes.txt"' },
    body: `${[title, '', ...codes].join('\n')}\n`,
  };
}
