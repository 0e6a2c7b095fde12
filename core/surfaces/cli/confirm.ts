import { createInterface } from 'node:readline/promises';
import { CliError } from './errors.js';

/** @throws CliError unless the person at the terminal agrees; where nobody can be asked, nothing destructive happens */
export async function confirm(what: string, question: string): Promise<void> {
  const fix = 'Run it with --yes to go ahead without being asked.';
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError(`${what} is destructive, and there is no terminal to ask at.`, fix);
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was done.', fix);
}

/** Asks a line on standard error, which leaves standard output to the answer. */
export async function ask(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await asking.question(question);
  } finally {
    asking.close();
  }
}
