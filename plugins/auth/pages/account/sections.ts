import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fillText, formatDateTime, labelOf } from '#core/surfaces/pages/texts.js';
import type { FormResult } from '../form-result.js';
import { alert, branded, button, field, labelFor, linkButton, oneButton } from '../parts.js';
import type { PageProblem } from '../problem.js';
import type { Visit } from '../visit.js';
import { confirmPath, identityName, sessionName, sessionPlace } from './confirm.js';
import { deletionObstacle } from './deletion.js';
import type { AccountData } from './load.js';

/** One section of the account page, as a card with a heading. */
const section = (id: string, heading: Markup, body: Markup): Markup =>
  html`<section class="card" aria-labelledby=${id}>
    <h2 id=${id}>${heading}</h2>
    ${body}
  </section>`;

const row = (what: Markup, ...buttons: Markup[]): Markup =>
  html`<li>
    <div class="what">${what}</div>
    <div class="do">${buttons}</div>
  </li>`;

/** A refused action of the page. */
export interface Refused {
  readonly action: string;
  readonly problem: PageProblem;
  /** What was entered, by the fields' names. */
  readonly entered: FormResult['entered'];
}

/** What was refused in the form before this request. */
export const refusedIn = ({ problem, action = '', entered }: FormResult): Refused | undefined =>
  problem && { action, problem, entered };

/** The actions whose forms are folded, and that show their own problem. */
const folded = ['add-address', 'add-number', 'set-password'] as const;
type FoldedAction = (typeof folded)[number];

/** Whether the form of the action is collapsed. Its problem is shown in the form, not above the page. */
export const isFolded = (action: string): boolean => folded.some((each) => each === action);

/** A form that opens with a click. After a refusal it stays open and shows the problem. */
const unfolding = (
  {
    action,
    summary,
    refused,
    open,
  }: { action: FoldedAction; summary: string; refused: Refused | undefined } & Pick<AccountData, 'open'>,
  form: (problem: PageProblem | undefined, entered?: FormResult['entered']) => Markup,
): Markup => {
  const { problem, entered } = refused?.action === action ? refused : {};
  return html`<details open=${problem !== undefined || open === action}>
    <summary>${summary}</summary>
    ${alert(problem)}
    <form method="post">${form(problem, entered)}</form>
  </details>`;
};

const date = ({ formatTag }: Visit, time: string): string => formatDateTime(formatTag, new Date(time));

export const profileSection = (visit: Visit, { me }: AccountData): Markup =>
  section(
    'profile',
    visit.texts.account.profile,
    html`<form method="post">
      ${field({ name: 'name', label: visit.texts.account.name, autocomplete: 'name', value: me.user.name ?? '', maxLength: 200, required: false })}
      ${button('profile', visit.texts.common.save, true)}
    </form>`,
  );

export function addressesSection(visit: Visit, { me, methods, open }: AccountData, refused?: Refused): Markup {
  const { account: texts, common, signin } = visit.texts;
  return section(
    'addresses',
    texts.addresses,
    html`
      <ul class="rows">
        ${me.identities.map((identity) => {
          const { id, kind, verifiedAt, primary } = identity;
          const name = identityName(identity, methods);
          return row(
            html`<bdi>${name}</bdi> ${primary && html`<span class="tag">${texts.primary}</span>`}
              ${verifiedAt === null && html`<span class="tag">${texts.unverified}</span>`}`,
            !primary &&
              kind !== 'oauth' &&
              verifiedAt !== null &&
              oneButton('make-primary', labelFor(texts.makePrimary, name), { identityId: id }),
            !primary && linkButton(confirmPath('remove-address', id), labelFor(common.remove, name)),
          );
        })}
      </ul>
      ${unfolding(
        { action: 'add-address', summary: texts.addAddress, refused, open },
        (problem, entered) => html`
          ${field({ name: 'email', type: 'email', label: texts.newAddress, value: entered?.get('email'), autocomplete: 'email', maxLength: 254, autofocus: problem !== undefined, problem })}
          ${button('add-address', labelFor(common.continue, texts.addAddress), true)}
        `,
      )}
      ${methods.sms && numberForm(visit, open, refused)}
      <div class="do">
        ${methods.oauth.map(({ provider, name }) =>
          oneButton('add-provider', fillText(signin.withProvider, { provider: name }), { provider }),
        )}
      </div>
    `,
  );
}

const numberForm = (
  { texts: { account, common } }: Visit,
  open: AccountData['open'],
  refused: Refused | undefined,
): Markup =>
  unfolding(
    { action: 'add-number', summary: account.addNumber, refused, open },
    (problem, entered) => html`
      ${field({ name: 'phone', type: 'tel', label: account.newNumber, value: entered?.get('phone'), hint: common.numberHint, autocomplete: 'tel', maxLength: 30, autofocus: problem !== undefined, problem })}
      ${button('add-number', labelFor(common.continue, account.addNumber), true)}
    `,
  );

export function passwordSection(visit: Visit, { me, passwordLength, open }: AccountData, refused?: Refused): Markup {
  const { account: texts } = visit.texts;
  const summary = me.hasPassword ? texts.changePassword : texts.setPassword;
  return section(
    'password-heading',
    visit.texts.common.password,
    html`
      <p>${me.hasPassword ? texts.passwordSet : texts.passwordNone}</p>
      ${unfolding({ action: 'set-password', summary, refused, open }, (problem) => {
        const wrong = problem?.code === 'invalid_credentials' ? problem : undefined;
        const unfit = wrong ? undefined : problem;
        return html`
          <input type="text" name="username" value=${me.user.email} autocomplete="username" hidden />
          ${
            me.hasPassword &&
            field({
              name: 'currentPassword',
              type: 'password',
              label: texts.currentPassword,
              autocomplete: 'current-password',
              autofocus: wrong !== undefined,
              problem: wrong,
              required: false,
            })
          }
          ${field({
            name: 'password',
            type: 'password',
            label: texts.newPassword,
            hint: fillText(texts.passwordHint, { count: String(passwordLength) }),
            autocomplete: 'new-password',
            autofocus: unfit !== undefined,
            problem: unfit,
          })}
          <label class="choice"><input type="checkbox" name="keepOthers" value="yes" /> ${texts.keepOthers}</label>
          ${button('set-password', summary, true)}
        `;
      })}
      ${me.hasPassword && html`<p><a class="plain" href=${confirmPath('remove-password')}>${texts.removePassword}</a></p>`}
    `,
  );
}

export function passkeysSection(visit: Visit, { more }: AccountData): Markup {
  const { account: texts, common } = visit.texts;
  const passkeys = more?.passkeys ?? [];
  return section(
    'passkeys',
    texts.passkeys,
    html`
      ${
        passkeys.length === 0
          ? html`<p>${texts.passkeysNone}</p>`
          : html`<ul class="rows">
              ${passkeys.map(({ id, name, createdAt, lastUsedAt }) =>
                row(
                  html`<bdi>${name}</bdi>
                    <small
                      >${`${labelOf(visit.lang, texts.added)} ${date(visit, createdAt)} · ${labelOf(visit.lang, texts.lastUsed)} ${lastUsedAt === null ? common.never : date(visit, lastUsedAt)}`}</small
                    >`,
                  linkButton(confirmPath('remove-passkey', id), labelFor(common.remove, name)),
                ),
              )}
            </ul>`
      }
      ${oneButton('add-passkey', texts.addPasskey)}
    `,
  );
}

export function factorSection(visit: Visit, { me, more }: AccountData): Markup {
  const { account: texts, common } = visit.texts;
  const active = me.factors.find(({ status }) => status === 'active');
  return section(
    'factor',
    texts.factor,
    html`
      <p>${active ? texts.factorActive : texts.factorNone}</p>
      ${active && html`<p class="muted">${fillText(texts.recoveryLeft, { count: String(more?.recoveryCodesLeft ?? 0) })}</p>`}
      <div class="do">
        ${oneButton('enrol', active ? texts.replaceFactor : texts.addFactor)}
        ${active && linkButton(confirmPath('regenerate'), texts.newRecovery)}
        ${active && linkButton(confirmPath('remove-factor', active.id), common.turnOff)}
      </div>
    `,
  );
}

export function sessionsSection(visit: Visit, { more }: AccountData): Markup {
  const { account: texts } = visit.texts;
  const sessions = more?.sessions ?? [];
  return section(
    'sessions',
    texts.sessions,
    html`
      <ul class="rows">
        ${sessions.map((session) => {
          const { familyId, lastUsedAt, current } = session;
          const used = `${sessionPlace(visit, session)} · ${date(visit, lastUsedAt)}`;
          return row(
            html`<bdi>${sessionName(visit, session)}</bdi>
              ${current && html`<span class="tag">${texts.thisSession}</span>`} <small>${used}</small>`,
            !current &&
              linkButton(
                confirmPath('end-session', familyId),
                labelFor(texts.endSession, `${sessionName(visit, session)} · ${used}`),
              ),
          );
        })}
      </ul>
      ${sessions.length > 1 && linkButton(confirmPath('end-others'), texts.endOthers)}
    `,
  );
}

export function appsSection(visit: Visit, { more }: AccountData): Markup {
  const { account: texts } = visit.texts;
  const apps = more?.apps ?? [];
  if (apps.length === 0) return null;
  return section(
    'apps',
    texts.apps,
    html`<ul class="rows">
      ${apps.map(({ appId, name, since }) =>
        row(
          html`<bdi>${name}</bdi>
            <small>${`${labelOf(visit.lang, texts.appSince)} ${date(visit, since.toISOString())}`}</small>`,
          linkButton(confirmPath('disconnect-app', appId), labelFor(texts.disconnect, name)),
        ),
      )}
    </ul>`,
  );
}

export function organizationsSection(visit: Visit, { more }: AccountData): Markup {
  const { account: texts, roles } = visit.texts;
  const organizations = more?.organizations ?? [];
  if (organizations.length === 0) return null;
  return section(
    'organizations',
    texts.organizations,
    html`<ul class="rows">
      ${organizations.map(({ organization, role }) =>
        row(
          html`<bdi>${organization.name}</bdi><small>${roles[role]}</small>`,
          linkButton(confirmPath('leave', organization.id), labelFor(texts.leave, organization.name)),
        ),
      )}
    </ul>`,
  );
}

export function deletionSection(visit: Visit, data: AccountData): Markup {
  const { account: texts } = visit.texts;
  return section(
    'deletion',
    texts.deleteHeading,
    deletionObstacle(visit, data) ??
      html`
        <p>${branded(visit, texts.deleteLead)}</p>
        ${linkButton(confirmPath('delete'), texts.deleteButton)}
      `,
  );
}
