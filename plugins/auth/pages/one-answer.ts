import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Operation } from '#core/kernel/operation.js';
import type { PageCallOptions, PageRequest } from '#core/kernel/page.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { Visit } from './visit.js';

/*
 * Two requests of one browser for the same thing get the same answer: the second one gets what was stored for the
 * first.
 */

const mostTries = 50;
const waitMs = 100;

/**
 * Makes a call that has an Idempotency-Key, and waits while another request with the same key is being processed.
 * @param call takes the options of each try: waiting does not count against the operation's limits
 */
async function oneAnswer<T>(call: (options: Pick<PageCallOptions, 'limits'>) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call(tries === 1 ? {} : { limits: [] });
    } catch (error) {
      const isAtWork = error instanceof SvcError && error.code === 'idempotency_in_progress';
      if (!isAtWork || tries >= mostTries) throw error;
      await wait(waitMs);
    }
  }
}

/**
 * What a cookie stores so that a repeat is recognised. It cannot be guessed. That of a sign-in is for `completeOnce`,
 * and the answer that signs in removes it with the cookie.
 */
export const newRepeatKey = (): string => randomBytes(24).toString('base64url');

/**
 * Completes a step of a sign-in. Without scripts, a form that is clicked twice is submitted twice, and the browser
 * drops the first answer: the one that signs in. So the same form from the same browser gets that answer again. Any
 * other form is told that the code or link was used.
 * @throws the refusals of the operation
 */
export async function completeOnce<Value, Sent, Reply>(
  { page, visit, flow }: { page: PageRequest; visit: Visit; flow: { repeatKey?: string } },
  operation: Operation<Value, Sent, Reply>,
  input: NoInfer<Sent>,
): Promise<Reply> {
  const { repeatKey } = flow;
  if (repeatKey === undefined) return page.call(operation, input, visit.options);
  const form = `${repeatKey}|${operation.name}|${JSON.stringify(input)}`;
  const idempotencyKey = `page-${sha256(form).toString('hex')}`;
  return oneAnswer((options) => page.call(operation, input, { ...visit.options, ...options, idempotencyKey }));
}
