import { pathOf, type Operation } from '#core/kernel/operation.js';
import { jsonText } from './literal.js';
import { shellWord } from './shell.js';

/** Where the examples expect a key; the command line reads the same variable. */
export const keyVariable = 'SVC_API_KEY';
/** Publishable keys stand beside secret ones in a developer's shell. */
export const publishableVariable = 'SVC_PUBLISHABLE_KEY';

/** An operation's example as a curl command that can be pasted into a shell where the key is set. */
export function curlExample({ name, access, example }: Operation, baseUrl: string): string {
  const variable = access === 'publishable' || access === 'user' ? publishableVariable : keyVariable;
  return [
    `curl ${shellWord(`${baseUrl}${pathOf(name)}`)}`,
    ...(access === 'public' ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(jsonText(example.input))}`,
  ].join(' \\\n  ');
}
