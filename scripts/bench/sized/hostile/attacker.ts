import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { isRecord } from '../../json.js';
import { attacks, type HostileKeys } from './attacks.js';

/*
 * A separate thread, so that the calls of the attack do not delay the measuring of the others in this process. It
 * attacks while it is told to, and answers with the statuses that it got.
 */

const isKeys = (value: unknown): value is HostileKeys =>
  isRecord(value) && typeof value['secret'] === 'string' && typeof value['publishable'] === 'string';

const data: unknown = workerData;
const address = isRecord(data) ? String(data['address']) : '';
const given: unknown = isRecord(data) ? data['keys'] : [];
const keys = Array.isArray(given) ? given.filter(isKeys) : [];

// A receiver of events that never answers.
const receiver = createServer(() => undefined).listen(0, '127.0.0.1');

/** As many clients as the limits per IP address require: the node trusts this machine's X-Forwarded-For. */
const someAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

let isRunning = false;
let next = 0;

async function attack(name: string): Promise<Record<string, number>> {
  const found = attacks.find((each) => each.name === name);
  if (!found || keys.length === 0) throw new Error(`Unknown attack: ${name}.`);
  const pool = new Pool(address, { connections: found.parallel, pipelining: 1 });
  const statuses: Record<string, number> = {};
  const lane = async (): Promise<void> => {
    while (isRunning) {
      const index = next++;
      const key = keys[index % keys.length];
      const { operation, publishable, body } = found.call(index);
      const status = await pool
        .request({
          path: `/${operation.replaceAll('.', '/')}`,
          method: 'POST',
          headers: {
            authorization: `Bearer ${(publishable ? key?.publishable : key?.secret) ?? ''}`,
            'content-type': 'application/json',
            'x-forwarded-for': someAddress(),
          },
          body,
        })
        .then(async (answer) => {
          await answer.body.dump();
          return String(answer.statusCode);
        })
        .catch(() => 'lost');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: found.parallel }, lane));
  await pool.close();
  return statuses;
}

parentPort?.on('message', (message: unknown) => {
  if (typeof message !== 'string' || message === 'stop') {
    isRunning = false;
    return;
  }
  isRunning = true;
  void attack(message).then((statuses) => parentPort?.postMessage(statuses));
});
receiver.once('listening', () => {
  const bound = receiver.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  parentPort?.postMessage(`http://127.0.0.1:${port}/hook`);
});
