import { request } from 'undici';
import { isRecord } from './json.js';
import type { Stage } from './stage.js';

/** Calls svc and returns the `result` of its reply. */
export async function call({ svc, keys }: Stage, name: string, input: unknown): Promise<Record<string, unknown>> {
  const answer = await request(`${svc.address}/${name.replaceAll('.', '/')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[0] ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const body: unknown = await answer.body.json();
  const result = isRecord(body) ? body['result'] : undefined;
  if (!isRecord(result)) throw new Error(`${name} answered ${answer.statusCode}: ${JSON.stringify(body)}`);
  return result;
}
