import { createInterface } from 'node:readline';
import { Cancelled, CliError } from '../errors.js';

/**
 * Asks for confirmation at the terminal, with a question that is built only then. @throws Cancelled without a yes,
 * CliError without a terminal
 */
export async function confirm(what: string, question: () => Promise<string>): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError(
      `${what} is destructive and needs a confirmation, but there is no terminal.`,
      'Pass --yes to skip the confirmation.',
    );
  const answer = await ask(`${await question()} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Cancelled('Cancelled: nothing was changed.');
}

/**
 * Reads a line from the terminal. The question goes to standard error, so that standard output contains only the
 * result.
 * @returns nothing if Ctrl-C or Ctrl-D ends the question
 */
export async function ask(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    let answer: string | undefined;
    asking.once('close', () => {
      // The terminal's cursor is after the question.
      if (answer === undefined) process.stderr.write('\n');
      resolve(answer ?? '');
    });
    asking.question(question, (line) => {
      answer = line;
      asking.close();
    });
  });
}
