import { pathOf, type Operation } from '#core/kernel/operation.js';
import { jsonText } from './literal.js';
import { shellWord } from './shell.js';

/** The variable with the secret key; the command line reads the same ones. */
export const keyVariable = 'SVC_API_KEY';
export const publishableVariable = 'SVC_PUBLISHABLE_KEY';

/** An operation's example as a curl command. */
export function curlExample({ name, access, example }: Operation, baseUrl: string): string {
  const variable = access === 'publishable' || access === 'user' ? publishableVariable : keyVariable;
  return [
    `curl ${shellWord(`${baseUrl}${pathOf(name)}`)}`,
    ...(access === 'public' ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(jsonText(example.input))}`,
  ].join(' \\\n  ');
}
