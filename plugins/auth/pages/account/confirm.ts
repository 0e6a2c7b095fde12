import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import { redirectWithResult } from '../form-result.js';
import { oneButton } from '../parts.js';
import type { SignedInVisit } from '../signed-in.js';
import type { Visit } from '../visit.js';
import { deletionView } from './deletion.js';
import { leaveBlocked } from './last-owner.js';
import { loadAccount, type AccountData } from './load.js';
import { screenView } from './screens.js';

/** What is removed, and the button that removes it. */
interface Confirmation {
  heading: string;
  lost: Markup;
  label: string;
  /** The hidden fields of the form. */
  values?: Readonly<Record<string, string>>;
  /** The button is omitted: `lost` contains the reason. */
  blocked?: boolean;
}

type Data = AccountData & { more: NonNullable<AccountData['more']> };
type Describe = (visit: Visit, data: Data, id: string) => Confirmation | null;

/** Buttons of the account page that remove something that is hard to restore, by their values. */
const confirmations: Readonly<Record<string, Describe>> = {
  'remove-address'(visit, { me, methods }, id) {
    const found = me.identities.find((each) => each.id === id);
    return found ? removal(visit, identityName(found, methods), visit.texts.confirm.address, { identityId: id }) : null;
  },
  'remove-password'({ texts: { confirm, account } }, { me }) {
    if (!me.hasPassword) return null;
    return { heading: confirm.passwordHeading, lost: confirm.password, label: account.removePassword };
  },
  'remove-passkey'(visit, { more }, id) {
    const found = more.passkeys.find((each) => each.id === id);
    return found ? removal(visit, found.name, visit.texts.confirm.passkey, { passkeyId: id }) : null;
  },
  'remove-factor'({ texts: { confirm, common } }, { me }, id) {
    if (!me.factors.some((each) => each.id === id)) return null;
    return { heading: confirm.factorHeading, lost: confirm.factor, label: common.turnOff, values: { factorId: id } };
  },
  regenerate({ texts: { confirm, account } }, { more }) {
    const left = fillText(account.recoveryLeft, { count: String(more.recoveryCodesLeft) });
    const lost = html`${confirm.recovery} ${left}`;
    return { heading: confirm.recoveryHeading, lost, label: account.newRecovery };
  },
  'end-session'(visit, { more }, id) {
    const { confirm, account } = visit.texts;
    const found = more.sessions.find(({ familyId, current }) => familyId === id && !current);
    if (!found) return null;
    const heading = fillText(confirm.sessionHeading, { name: sessionName(visit, found) });
    const lost = html`<bdi>${sessionPlace(visit, found)}</bdi><br />${confirm.session}`;
    return { heading, lost, label: account.endSession, values: { familyId: id } };
  },
  'end-others'(visit, { more }) {
    const { confirm, account } = visit.texts;
    const others = more.sessions.filter(({ current }) => !current);
    const lost = [
      html`<p>${confirm.others}</p>`,
      html`<ul>
        ${others.map((each) => html`<li><bdi>${sessionName(visit, each)}</bdi> · <bdi>${sessionPlace(visit, each)}</bdi></li>`)}
      </ul>`,
    ];
    return others.length === 0 ? null : { heading: confirm.othersHeading, lost, label: account.endOthers };
  },
  'disconnect-app'(visit, { more }, id) {
    const { confirm, account } = visit.texts;
    const found = more.apps.find(({ appId }) => appId === id);
    if (!found) return null;
    const heading = fillText(confirm.appHeading, { name: found.name });
    return { heading, lost: confirm.app, label: account.disconnect, values: { appId: id } };
  },
  leave(visit, { more, soleOwnerships }, id) {
    const { confirm, account } = visit.texts;
    const organization = more.organizations.find((each) => each.organization.id === id)?.organization;
    if (!organization) return null;
    const heading = fillText(confirm.leaveHeading, { organization: organization.name });
    const blocked = soleOwnerships.some((each) => each.id === id);
    const lost = blocked ? leaveBlocked(visit, organization.name) : confirm.leave;
    return { heading, lost, label: account.leave, values: { organizationId: id }, blocked };
  },
};

const removal = (
  { texts: { confirm, common } }: Visit,
  name: string,
  lost: string,
  values: Readonly<Record<string, string>>,
): Confirmation => ({ heading: fillText(confirm.removeHeading, { name }), lost, label: common.remove, values });

/** The address of the page that asks for confirmation of a removal. */
export const confirmPath = (action: string, id?: string): string =>
  `?${new URLSearchParams({ confirm: action, ...(id === undefined ? {} : { id }) }).toString()}`;

/** Asks before something is removed, and states what. Opening the page removes nothing. */
export async function confirmView(on: SignedInVisit, action: string): Promise<PageAnswer> {
  const { page, visit } = on;
  const { more, ...data } = await loadAccount(on);
  if (more !== null && action === 'delete') return deletionView(on, { ...data, more });
  const describe = Object.hasOwn(confirmations, action) ? confirmations[action] : undefined;
  const found = more && describe?.(visit, { ...data, more }, page.query.get('id') ?? '');
  if (!found) {
    const problem = { status: 404, code: 'not_found', text: visit.texts.errors.not_found };
    return redirectWithResult(on, `${visit.root}/account`, { problem });
  }
  const { heading, lost, label, values, blocked = false } = found;
  return screenView(
    visit,
    heading,
    html`
      <div class="lost">${lost}</div>
      ${!blocked && html`<div class="stack">${oneButton(action, label, values, null)}</div>`}
    `,
    { back: visit.texts.common.cancel },
  );
}

type More = NonNullable<AccountData['more']>;

/** The name of an identity on the page: the address or number, or the provider. */
export const identityName = (
  { kind, value, provider }: AccountData['me']['identities'][number],
  { oauth }: AccountData['methods'],
): string => (kind === 'oauth' ? (oauth.find((each) => each.provider === provider)?.name ?? provider) : value) ?? '';

/** The name of a session on the page: browser and system. */
export const sessionName = ({ texts }: Visit, { device }: More['sessions'][number]): string =>
  [device.browser, device.os].filter((each) => each !== null).join(' · ') || texts.common.unknown;

/** The place where a session was last used. */
export const sessionPlace = ({ placeOf }: Visit, { location, ip }: More['sessions'][number]): string =>
  [placeOf(ip) ?? location, ip].filter((each) => each !== null).join(' · ');
