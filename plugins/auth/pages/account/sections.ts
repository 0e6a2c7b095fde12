import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fillText, formatDateTime } from '#core/surfaces/pages/texts.js';
import { branded, button, field, oneButton } from '../parts.js';
import type { Visit } from '../visit.js';
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

const date = ({ lang }: Visit, time: string): string => formatDateTime(lang, new Date(time));

export const profileSection = (visit: Visit, { me }: AccountData): Markup =>
  section(
    'profile',
    visit.texts.account.profile,
    html`<form method="post">
      ${field({ name: 'name', label: visit.texts.account.name, autocomplete: 'name', value: me.user.name ?? '', maxLength: 200, required: false })}
      ${button('profile', visit.texts.common.save, true)}
    </form>`,
  );

export function addressesSection(visit: Visit, { me, methods }: AccountData): Markup {
  const { account: texts, common, signin } = visit.texts;
  return section(
    'addresses',
    texts.addresses,
    html`
      <ul class="rows">
        ${me.identities.map(({ id, kind, value, provider, verifiedAt, primary }) =>
          row(
            html`<bdi>${kind === 'oauth' ? provider : value}</bdi>
              ${primary && html`<span class="tag">${texts.primary}</span>`}
              ${verifiedAt === null && html`<span class="tag">${texts.unverified}</span>`}`,
            !primary &&
              kind !== 'oauth' &&
              verifiedAt !== null &&
              oneButton('make-primary', texts.makePrimary, { identityId: id }),
            !primary && oneButton('remove-address', common.remove, { identityId: id }),
          ),
        )}
      </ul>
      <details>
        <summary>${texts.addAddress}</summary>
        <form method="post">
          ${field({ name: 'email', type: 'email', label: texts.newAddress, autocomplete: 'email', maxLength: 254 })}
          ${button('add-address', common.continue, true)}
        </form>
      </details>
      ${methods.sms && numberForm(visit)}
      <div class="do">
        ${methods.oauth.map(({ provider, name }) =>
          oneButton('add-provider', fillText(signin.withProvider, { provider: name }), { provider }),
        )}
      </div>
    `,
  );
}

const numberForm = ({ texts: { account, common } }: Visit): Markup => html`
  <details>
    <summary>${account.addNumber}</summary>
    <form method="post">
      ${field({ name: 'phone', type: 'tel', label: account.newNumber, hint: common.numberHint, autocomplete: 'tel', maxLength: 30 })}
      ${button('add-number', common.continue, true)}
    </form>
  </details>
`;

export function passwordSection(visit: Visit, { me }: AccountData): Markup {
  const { account: texts } = visit.texts;
  return section(
    'password-heading',
    visit.texts.common.password,
    html`
      <p>${me.hasPassword ? texts.passwordSet : texts.passwordNone}</p>
      <details>
        <summary>${me.hasPassword ? texts.changePassword : texts.setPassword}</summary>
        <form method="post">
          <input type="text" name="username" value=${me.user.email} autocomplete="username" hidden />
          ${
            me.hasPassword &&
            field({
              name: 'currentPassword',
              type: 'password',
              label: texts.currentPassword,
              autocomplete: 'current-password',
              maxLength: 256,
              required: false,
            })
          }
          ${field({ name: 'password', type: 'password', label: texts.newPassword, autocomplete: 'new-password', maxLength: 256 })}
          <label class="choice"><input type="checkbox" name="keepOthers" value="yes" /> ${texts.keepOthers}</label>
          ${button('set-password', me.hasPassword ? texts.changePassword : texts.setPassword, true)}
        </form>
      </details>
      ${me.hasPassword && oneButton('remove-password', texts.removePassword, {}, 'plain')}
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
                      >${`${texts.added}: ${date(visit, createdAt)} · ${texts.lastUsed}: ${lastUsedAt === null ? common.never : date(visit, lastUsedAt)}`}</small
                    >`,
                  oneButton('remove-passkey', common.remove, { passkeyId: id }),
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
        ${active && oneButton('regenerate', texts.newRecovery)}
        ${active && oneButton('remove-factor', common.remove, { factorId: active.id })}
      </div>
    `,
  );
}

export function sessionsSection(visit: Visit, { more }: AccountData): Markup {
  const { account: texts, common } = visit.texts;
  const sessions = more?.sessions ?? [];
  return section(
    'sessions',
    texts.sessions,
    html`
      <ul class="rows">
        ${sessions.map(({ familyId, device, location, ip, lastUsedAt, current }) =>
          row(
            html`<bdi>${[device.browser, device.os].filter((each) => each !== null).join(' · ') || common.unknown}</bdi>
              ${current && html`<span class="tag">${texts.thisSession}</span>`}
              <small
                >${[location, ip].filter((each) => each !== null).join(' · ')} · ${date(visit, lastUsedAt)}</small
              >`,
            !current && oneButton('end-session', texts.endSession, { familyId }),
          ),
        )}
      </ul>
      ${sessions.length > 1 && oneButton('end-others', texts.endOthers)}
    `,
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
          oneButton('leave', texts.leave, { organizationId: organization.id }),
        ),
      )}
    </ul>`,
  );
}

export function deletionSection(visit: Visit, { me }: AccountData): Markup {
  const { account: texts } = visit.texts;
  const shown = me.user.email ?? me.user.phone ?? '';
  return section(
    'deletion',
    texts.deleteHeading,
    html`
      <p>${branded(visit, texts.deleteLead)}</p>
      <details>
        <summary>${texts.deleteButton}</summary>
        <form method="post">
          ${field({ name: 'confirm', label: fillText(texts.deleteConfirm, { email: shown }), autocomplete: 'off', maxLength: 254 })}
          ${button('delete', texts.deleteButton, true)}
        </form>
      </details>
    `,
  );
}
