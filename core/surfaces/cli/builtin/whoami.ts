import { at } from '#core/runtime/json.js';
import { callOperation } from '../call.js';
import { secretConnectionOf } from '../session/connection.js';
import type { OwnOptions } from '../options.js';
import { print, wantsJson } from '../output.js';

/** Shows the caller as the server sees it: the whole answer as JSON, or a summary for people. */
export async function whoami(options: OwnOptions): Promise<void> {
  const connection = await secretConnectionOf(options);
  const answer = await callOperation(connection, 'developers.key.current', {});
  if (wantsJson(options.json)) {
    print(answer, true);
    return;
  }
  const named = (thing: string): string =>
    `${String(at(answer.result, thing, 'name'))} (${String(at(answer.result, thing, 'id'))})`;
  const result = {
    server: connection.baseUrl,
    ...whoOf(answer.result),
    keyFrom: connection.keysFrom,
    account: named('account'),
    project: named('project'),
    environment: `${String(at(answer.result, 'environment', 'kind'))} (${String(at(answer.result, 'environment', 'id'))})`,
    permissions: at(answer.result, 'permissions'),
  };
  print({ ...answer, result }, false);
}

/** The key, or the member who is signed in. */
function whoOf(result: Readonly<Record<string, unknown>>): Record<string, string> {
  const text = (...path: string[]): string => String(at(result, ...path));
  if (at(result, 'member') !== null) return { member: `${text('member', 'email')} (${text('member', 'role')})` };
  return { key: `${text('key', 'name')} (${text('key', 'prefix')}…)` };
}
