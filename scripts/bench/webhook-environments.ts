import { request } from 'undici';
import { isRecord } from './json.js';
import type { Stage } from './stage.js';

/** A test environment with its secret key and the number of its endpoints. */
export interface Target {
  id: string;
  key: string;
  endpoints: number;
}

/** The maximum number of endpoints of one environment. */
const perEnvironment = 50;

/** Calls an operation and returns its result. @throws with the text of the answer if it was refused */
async function call(address: string, key: string, operation: string, input: unknown): Promise<Record<string, unknown>> {
  const answer = await request(`${address}/${operation.replaceAll('.', '/')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const text = await answer.body.text();
  const envelope: unknown = JSON.parse(text);
  const result: unknown = isRecord(envelope) ? envelope['result'] : undefined;
  if (answer.statusCode !== 200 || !isRecord(result))
    throw new Error(`${operation} answered ${answer.statusCode}: ${text}`);
  return result;
}

/** The text at a path in an answer. @throws if there is none */
const textAt = (value: unknown, ...names: string[]): string => {
  const found = names.reduce<unknown>((each, name) => (isRecord(each) ? each[name] : undefined), value);
  if (typeof found !== 'string') throw new Error(`An answer contains no text at ${names.join('.')}.`);
  return found;
};

/**
 * Creates test environments with `count` endpoints in total, each with a separate origin on the sink.
 * @returns the environments
 */
export async function makeEndpoints(
  { svc, keys }: Stage,
  sink: string,
  count: number,
  label = 'Bench',
): Promise<Target[]> {
  const { port } = new URL(sink);
  const made: Target[] = [];
  for (let first = 0; first < count; first += perEnvironment) {
    const result = await call(svc.address, keys[made.length] ?? '', 'account.project.create', {
      name: `${label} ${count} ${first}`,
    });
    const key = textAt(result, 'keys', 'test', 'secret');
    const environments: unknown = result['environments'];
    const test: unknown = Array.isArray(environments)
      ? environments.find((each) => isRecord(each) && each['kind'] === 'test')
      : undefined;
    const endpoints = Math.min(perEnvironment, count - first);
    for (let index = 0; index < endpoints; index += 1) {
      await call(svc.address, key, 'developers.webhook.create', {
        url: `http://127.0.0.${first + index + 1}:${port}/hook`,
        eventTypes: ['account.updated'],
      });
    }
    made.push({ id: textAt(test, 'id'), key, endpoints });
  }
  return made;
}
