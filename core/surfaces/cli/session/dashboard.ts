import { at, isRecord } from '#core/runtime/json.js';
import { shardParameter } from '#core/runtime/shard.js';
import { callOperation, reach, type CallTarget } from '../call.js';
import type { ProfileEnvironment } from './config.js';
import { ApiError, CliError } from '../errors.js';

/** Where people sign in to the dashboard, as /openapi.json states. */
export interface DashboardFacts {
  readonly environmentId: string;
  readonly publishableKey: string;
}

/**
 * @param shard the shard of a server that has several (docs/scaling.md)
 * @returns undefined if people cannot sign in to the server: its product auth is disabled
 */
export async function dashboardAt(baseUrl: string, shard?: string): Promise<DashboardFacts | undefined> {
  const query = shard === undefined ? '' : `?${new URLSearchParams({ [shardParameter]: shard }).toString()}`;
  const answer = await reach(baseUrl, `/openapi.json${query}`);
  const description: unknown = await answer.json().catch(() => undefined);
  const [environmentId, publishableKey] = ['environmentId', 'publishableKey'].map((field) =>
    at(description, 'x-svc-dashboard', field),
  );
  return typeof environmentId === 'string' && typeof publishableKey === 'string'
    ? { environmentId, publishableKey }
    : undefined;
}

/** An environment that the signed-in person may act in. */
export interface EnvironmentChoice extends ProfileEnvironment {
  readonly account: string;
  readonly project: string;
}

/** The environments that a dashboard session may act in: a call that names none is refused with their list. */
export async function environmentChoices(target: CallTarget): Promise<EnvironmentChoice[]> {
  try {
    await callOperation({ ...target, environmentId: undefined }, 'developers.key.current', {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'environment_required') throw error;
    const listed = at(error.answer, 'error', 'details', 'environments');
    return Array.isArray(listed) ? listed.filter(isRecord).map(choiceOf) : [];
  }
  return [];
}

function choiceOf(value: Record<string, unknown>): EnvironmentChoice {
  const { environmentId, kind, project, account } = value;
  return {
    id: String(environmentId),
    kind: String(kind),
    account: String(account),
    project: String(project),
    name: `${String(account)} / ${String(project)}`,
  };
}

/**
 * An environment that is in no list, such as the dashboard's own one, if the signed-in person may act in it; otherwise
 * undefined.
 */
export async function unlistedEnvironment(target: CallTarget, id: string): Promise<EnvironmentChoice | undefined> {
  try {
    const { result } = await callOperation({ ...target, environmentId: id }, 'developers.key.current', {});
    const [kind, account, project] = [
      at(result, 'environment', 'kind'),
      at(result, 'account', 'name'),
      at(result, 'project', 'name'),
    ];
    return choiceOf({ environmentId: id, kind, account, project });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden') return undefined;
    throw error;
  }
}

const includesWord = (text: string, word: string): boolean => text.toLowerCase().includes(word.toLowerCase());

/**
 * The environment that a person means: an id or its beginning, or words of its account, project and kind (`shop test`).
 * @throws CliError if it matches none of the choices, or several
 */
export function chosenEnvironment(choices: readonly EnvironmentChoice[], wanted: readonly string[]): EnvironmentChoice {
  const text = wanted.join(' ').trim();
  const byId = choices.filter(({ id }) => text.length >= 8 && id.startsWith(text.toLowerCase()));
  const words = text.split(/[\s/]+/).filter((word) => word !== '');
  const byWords = choices.filter(({ account, project, kind }) =>
    words.every((word) => word === kind || includesWord(account, word) || includesWord(project, word)),
  );
  const found = byId.length > 0 ? byId : byWords;
  const [first, second] = found;
  if (first && !second) return first;
  const listed = (found.length > 0 ? found : choices)
    .slice(0, 10)
    .map(({ name, kind, id }) => `${name} ${kind} (${id})`);
  throw new CliError(
    first ? `“${text}” may be one of several environments.` : `“${text}” is not an environment that you may act in.`,
    listed.length === 0
      ? 'Ask an owner of an account to invite you, then run `svc env list`.'
      : `Name one of these by its id, or by words of its name and kind: ${listed.join('; ')}.`,
  );
}
