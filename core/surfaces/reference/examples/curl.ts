import { jsonText } from './literal.js';
import { shellWord } from './shell.js';

/** The variable with the secret key; the command line reads the same ones. */
export const keyVariable = 'SVC_API_KEY';
export const publishableVariable = 'SVC_PUBLISHABLE_KEY';

/** A call that is shown as code: an operation's example, or what a form of the console sends. */
export interface ShownCall {
  readonly name: string;
  readonly access: string;
  readonly impact: { readonly destructive: boolean };
  readonly example: { readonly input: unknown };
}

/** A call as a curl command. */
export function curlExample({ name, access, example }: ShownCall, baseUrl: string): string {
  const variable = access === 'publishable' || access === 'user' ? publishableVariable : keyVariable;
  return [
    `curl ${shellWord(`${baseUrl}/${name.replaceAll('.', '/')}`)}`,
    ...(access === 'public' ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(jsonText(example.input))}`,
  ].join(' \\\n  ');
}
