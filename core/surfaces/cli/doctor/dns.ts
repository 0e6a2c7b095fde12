import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ok, problem, skipped, type Finding } from './finding.js';

/** Without it, a resolver that does not answer is tried for minutes. */
const timeoutMs = 5_000;

/** Checks that the host name of the public address resolves. */
export async function checkName(baseUrl: string): Promise<Finding> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return skipped('dns', `${host} is an IP address.`);
  try {
    const late = pause(timeoutMs, undefined, { ref: false }).then(() => {
      throw new Error('the resolver did not answer within 5 s');
    });
    const found = await Promise.race([lookup(host, { all: true }), late]);
    return ok('dns', `${host} resolves to ${found.map(({ address }) => address).join(', ')}.`);
  } catch (error) {
    const code = error instanceof Error ? codeOf(error) : String(error);
    return problem(
      'dns',
      `${host} does not resolve (${code}).`,
      `Publish an A or AAAA record for ${host}, or correct SVC_BASE_URL.`,
    );
  }
}

function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.message;
}
