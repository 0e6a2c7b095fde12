import { createInterface } from 'node:readline/promises';
import { CliError } from '../errors.js';

/** Asks for confirmation at the terminal, with a question that is made only there. @throws CliError without a yes, and without a terminal */
export async function confirm(what: string, question: () => Promise<string>): Promise<void> {
  const fix = 'Pass --yes to skip the confirmation.';
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError(`${what} is destructive and needs a confirmation, but there is no terminal.`, fix);
  const answer = await ask(`${await question()} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Cancelled: nothing was changed.', fix);
}

/** Reads a line from the terminal. The question goes to standard error, so that standard output holds only the result. */
export async function ask(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await asking.question(question);
  } finally {
    asking.close();
  }
}
