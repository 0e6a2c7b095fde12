import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ok, problem, skipped, type Finding } from './finding.js';

/** A resolver that does not answer is tried for minutes otherwise. */
const patienceMs = 5_000;

/** Does the name in the public address lead anywhere? */
export async function checkName(baseUrl: string): Promise<Finding> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return skipped('dns', `${host} is an address already.`);
  try {
    const late = pause(patienceMs, undefined, { ref: false }).then(() => {
      throw new Error('the resolver did not answer within 5 s');
    });
    const found = await Promise.race([lookup(host, { all: true }), late]);
    return ok('dns', `${host} leads to ${found.map(({ address }) => address).join(', ')}.`);
  } catch (error) {
    const code = error instanceof Error ? codeOf(error) : String(error);
    return problem(
      'dns',
      `${host} leads nowhere (${code}).`,
      `Publish an A or AAAA record for ${host}, or correct SVC_BASE_URL.`,
    );
  }
}

function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.message;
}
