import { pathOf, type Operation } from '#core/kernel/operation.js';
import type { PageRequest } from '#core/kernel/page.js';
import { replyProblem } from '#core/kernel/schema/validate.js';
import type { Services } from '#core/kernel/services.js';
import { Preferences } from '../../resources.js';
import { oneClick } from '../../preferences/one-click.js';
import type { PreferencesValue } from '../../preferences/present.js';
import type { Changes } from './form.js';

/** Through the runner, so that limits hold for the page as well and the audit record is written. */
async function call(
  services: Services,
  { request }: PageRequest,
  operation: Operation,
  input: object,
): Promise<string> {
  const answer = await services.call({
    operation,
    input,
    bearer: undefined,
    idempotencyKey: undefined,
    environmentId: undefined,
    request,
  });
  return answer.body;
}

const named = ({ catalogue }: Services, name: string): Operation => catalogue.at(pathOf(name));

/** What audience.preferences.get answers. @throws what it refuses with */
export async function readPreferences(services: Services, page: PageRequest, token: string): Promise<PreferencesValue> {
  const body = await call(services, page, named(services, 'audience.preferences.get'), { token });
  const envelope: unknown = JSON.parse(body);
  const preferences = fieldOf(fieldOf(envelope, 'result'), 'preferences');
  if (!isPreferences(preferences)) throw new Error('audience.preferences.get answered what its schema does not say.');
  return preferences;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

const isPreferences = (value: unknown): value is PreferencesValue => replyProblem(Preferences, value) === undefined;

/** Changes preferences with audience.preferences.set. @throws what it refuses with */
export async function changePreferences(
  services: Services,
  page: PageRequest,
  token: string,
  changes: Changes,
): Promise<void> {
  await call(services, page, named(services, 'audience.preferences.set'), { token, ...changes });
}

/** One-click unsubscribe. @throws what it refuses with */
export async function unsubscribe(services: Services, page: PageRequest, token: string): Promise<void> {
  await call(services, page, oneClick, { token });
}
