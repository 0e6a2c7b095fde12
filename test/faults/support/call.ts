/** The outcome of a call. */
export type Outcome =
  | { kind: 'answered'; text: string; replayed: boolean }
  /** Unknown whether it was accepted: the connection broke, or the server could not reach its database. */
  | { kind: 'open'; why: 'broken' | 'unavailable' | 'in progress' };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function codeOf(text: string): unknown {
  const body: unknown = JSON.parse(text);
  const error = isRecord(body) ? body['error'] : undefined;
  return isRecord(error) ? error['code'] : undefined;
}

/**
 * Calls an operation as a customer's program would.
 * @throws Error for every answer that a fault does not explain
 */
export async function call(
  address: string,
  bearer: string,
  { operation, input, idempotencyKey }: { operation: string; input: unknown; idempotencyKey?: string },
): Promise<Outcome> {
  const headers = {
    Authorization: `Bearer ${bearer}`,
    'Content-Type': 'application/json',
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
  };
  const path = `/${operation.replaceAll('.', '/')}`;
  const request = { method: 'POST', headers, body: JSON.stringify(input), signal: AbortSignal.timeout(20_000) };
  let answer: { status: number; text: string; replayed: boolean };
  try {
    const response = await fetch(`${address}${path}`, request);
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    answer = { status: response.status, text: await response.text(), replayed };
  } catch (error) {
    // A dead node breaks connections immediately. A node that keeps a caller waiting for 20 s has a defect.
    if (error instanceof Error && error.name === 'TimeoutError') throw error;
    return { kind: 'open', why: 'broken' };
  }
  const { status, text, replayed } = answer;
  if (status === 200) return { kind: 'answered', text, replayed };
  const code = codeOf(text);
  if (status === 503 && code === 'unavailable') return { kind: 'open', why: 'unavailable' };
  if (status === 409 && code === 'idempotency_in_progress') return { kind: 'open', why: 'in progress' };
  throw new Error(`${operation} answered ${status}: ${text}`);
}

/** The envelope of an answer. */
export function readAnswer(text: string): { activityId: string; result: Record<string, unknown> } {
  const body: unknown = JSON.parse(text);
  const activityId = isRecord(body) ? body['activityId'] : undefined;
  const result = isRecord(body) ? body['result'] : undefined;
  if (typeof activityId !== 'string' || !isRecord(result)) throw new Error(`Not an envelope: ${text}`);
  return { activityId, result };
}

/** A text within an answer's result: `textAt(result, 'endpoint', 'endpointId')`. */
export function textAt(value: unknown, ...names: readonly string[]): string {
  let found = value;
  for (const name of names) found = isRecord(found) ? found[name] : undefined;
  if (typeof found !== 'string') throw new Error(`No text at ${names.join('.')}: ${JSON.stringify(value)}`);
  return found;
}
