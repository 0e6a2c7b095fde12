import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import { branded, dangerButton, field } from '../parts.js';
import type { SignedInVisit } from '../signed-in.js';
import type { Visit } from '../visit.js';
import { deletionBlocked } from './last-owner.js';
import type { AccountData } from './load.js';
import { screenView } from './screens.js';

/** What prevents a person from deleting their account; null if nothing does. */
export function deletionObstacle(visit: Visit, { soleOwnerships }: AccountData): Markup {
  const kept = soleOwnerships.filter(({ hasOthers }) => hasOthers).map(({ name }) => name);
  return kept.length === 0 ? null : deletionBlocked(visit, kept);
}

/** Asks before the account is deleted: states what is deleted with it, and requires the address to be entered. */
export function deletionView(on: SignedInVisit, data: AccountData): PageAnswer {
  const { visit, result } = on;
  const { me, soleOwnerships, selfDelete } = data;
  const { account: texts, confirm, common } = visit.texts;
  if (!selfDelete) return seeOther(`${visit.root}/account`);
  const obstacle = deletionObstacle(visit, data);
  const { problem } = result;
  // The values that auth.me.delete compares with.
  const { email, phone, id } = me.user;
  const goes = soleOwnerships.filter(({ hasOthers }) => !hasOthers);
  return screenView(
    visit,
    texts.deleteHeading,
    obstacle ??
      html`
        <div class="lost">
          <p>${branded(visit, texts.deleteLead)}</p>
          ${
            goes.length > 0 &&
            html`<ul>
              ${goes.map(({ name }) => html`<li>${fillText(confirm.deletesOrganization, { organization: name })}</li>`)}
            </ul>`
          }
        </div>
        <form method="post">
          ${field({ name: 'confirm', label: fillText(texts.deleteConfirm, { email: email ?? phone ?? id }), autocomplete: 'off', maxLength: 254, autofocus: problem !== undefined, problem })}
          <div class="stack">${dangerButton('delete', texts.deleteButton)}</div>
        </form>
      `,
    { problem, back: common.cancel },
  );
}
