import { call, keepKey, keepScreen, keptScreen, openSession, tabKey } from '../kit/client.js';
import { askServer, isFinal } from '../kit/reach.js';
import { acting, catalogue, choices } from '../kit/state.js';
import { rowsAt, textAt, valueAt } from '../kit/value.js';
import type { ConsoleCatalogue } from '../shared.js';

/* The start of the console: the catalogue, the session or key, and the environments that the person may act in. */

export type Started =
  | { readonly state: 'ready' | 'nowhere' }
  | { readonly state: 'key'; readonly problem?: unknown }
  | { readonly state: 'signed-out'; readonly signInUrl: string; readonly developerEmail?: string | undefined };

const lastName = 'svc.environment';

/** @throws SvcError if the server cannot be reached */
export async function start(): Promise<Started> {
  catalogue.value = await askServer('/console/catalogue.json', isCatalogue);
  return catalogue.value.signIn === 'session' ? startWithSession() : startWithKey();
}

const isCatalogue = (value: unknown): value is ConsoleCatalogue =>
  rowsAt(value, 'operations').length > 0 && rowsAt(value, 'products').length > 0;

async function startWithSession(): Promise<Started> {
  const session = await openSession();
  if (session.accessToken === null) {
    keepScreen();
    return { state: 'signed-out', signInUrl: session.signInUrl, developerEmail: session.developerEmail };
  }
  returnToScreen();
  choices.value = rowsAt(session, 'environments').map((row) => ({
    environmentId: textAt(row, 'environmentId'),
    kind: textAt(row, 'kind'),
    project: textAt(row, 'project'),
    account: textAt(row, 'account'),
    archived: valueAt(row, 'archived') === true,
  }));
  return { state: choices.value.length === 0 ? 'nowhere' : 'ready' };
}

/** After a sign-in, people come back to the screen that they were on. */
function returnToScreen(): void {
  const address = keptScreen();
  if (address !== undefined && location.pathname === '/console') history.replaceState(null, '', address);
}

async function startWithKey(): Promise<Started> {
  if (tabKey() === undefined) return { state: 'key' };
  try {
    const { environment, project, account } = (await call('developers.key.current', {})).result;
    const choice = {
      environmentId: environment.id,
      kind: environment.kind,
      project: project.name,
      account: account.name,
    };
    choices.value = [choice];
    return { state: 'ready' };
  } catch (problem) {
    // Only a key that is refused for good must be typed again.
    if (!isFinal(problem)) throw problem;
    keepKey(undefined);
    return { state: 'key', problem };
  }
}

/**
 * The environment to act in: the one in the address, else the last one, else the first live one.
 * @param named the environment in the address
 */
export function chosenEnvironment(named: string | undefined): string | undefined {
  const known = (id: string | null | undefined): boolean =>
    choices.value.some(({ environmentId }) => environmentId === id);
  // An environment that is in no list, such as the dashboard's own: the first call decides.
  if (named !== undefined && (known(named) || /^[0-9a-f-]{36}$/.test(named))) return named;
  const last = localStorage.getItem(lastName);
  if (last !== null && known(last)) return last;
  return (choices.value.find(({ kind }) => kind === 'live') ?? choices.value[0])?.environmentId;
}

/**
 * Acts in an environment.
 * @param isWanted whether it is still the one to act in, once the server has answered
 * @throws SvcError if the person may not
 */
export async function actIn(environmentId: string, isWanted: () => boolean): Promise<void> {
  const { result } = await call('developers.key.current', {}, { environmentId });
  if (!isWanted()) return;
  const { environment, account, project, member, role, permissions } = result;
  acting.value = {
    environmentId: environment.id,
    kind: environment.kind,
    account: account.name,
    project: project.name,
    member: member && { id: member.id, email: member.email, isNarrowed: member.permissions !== null },
    role,
    permissions: new Set(permissions),
  };
  localStorage.setItem(lastName, environmentId);
}
