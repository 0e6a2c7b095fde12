import { callOperation } from '../call.js';
import { connectionOf } from '../connection.js';
import { CliError, exit } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { print, wantsJson } from '../output.js';

/** Shows the caller as the server sees it. */
export async function whoami(options: OwnOptions): Promise<void> {
  const connection = await connectionOf(options);
  if (connection.key === undefined)
    throw new CliError('Nobody is logged in.', 'Run `svc login --key <key>` or set SVC_API_KEY.', exit.access);
  const answer = await callOperation(connection, 'developers.key.current', {});
  const json = wantsJson(options.json);
  const from = { server: connection.baseUrl, keyFrom: connection.keyFrom };
  print(json ? answer : { ...answer, result: { ...from, ...answer.result } }, json);
}
