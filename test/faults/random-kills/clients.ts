import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../support/workload.js';
import { createCaller, type Caller, type CallerOptions } from './client.js';
import type { Deployment } from './deployment.js';
import { deliverCallback } from './callbacks.js';
import { broadcasts } from './load/broadcasts.js';
import { receivedMails, stops } from './load/inbound.js';
import { invoices } from './load/invoices.js';
import type { Client, Load } from './load/load.js';
import { mails, scheduled, texts } from './load/messages.js';
import { signIns } from './load/signins.js';
import { keyFor } from './setup.js';

/** Everything that clients do. */
const loads: readonly Load[] = [mails, texts, scheduled, broadcasts, signIns, stops, receivedMails, invoices];

export interface Running {
  /** Lets every client end its turn. */
  end(): Promise<void>;
}

const anyIp = (random: Random): string => `10.${[0, 0, 0].map(() => Math.floor(random() * 250) + 1).join('.')}`;

/**
 * Starts all clients.
 * @param part distinguishes what they make from what earlier parts of the run have made
 */
export async function startClients(part: string, deployment: Deployment, options: CallerOptions): Promise<Running> {
  const { random, violations, journal } = options;
  const owner = createCaller(await deployment.liveKey(), options);
  const headers = (): Record<string, string> => ({ 'X-Forwarded-For': anyIp(random) });
  const app = createCaller(await deployment.publishableKey(), { ...options, headers });
  const visitor = createCaller('', { ...options, headers });
  const callerWith = (bearer: string): Caller => createCaller(bearer, options);
  const callback: Client['callback'] = (key, operation, input, send) =>
    deliverCallback(options, { key, operation, input }, send);
  let ending = false;
  const shared = { random, deployment, app, visitor, callerWith, callback, ending: () => ending };
  const clients: { load: Load; client: Client }[] = [];
  for (const load of loads) {
    for (let index = 0; index < load.clients; index += 1) {
      const name = `${load.name}-${index}`;
      const caller = createCaller(await keyFor(name, load.permissions, owner, journal), options);
      clients.push({
        load,
        client: { ...caller, ...shared, name: `${part}-${name}` },
      });
    }
  }
  const run = async ({ load, client }: (typeof clients)[number]): Promise<void> => {
    for (let n = 0; !ending; n += 1) {
      try {
        await load.turn(client, `${client.name}-${n}`);
      } catch (error) {
        violations.add('No client fails because of a kill', `${client.name}-${n}: ${String(error)}`);
      }
      await pause(load.everyMs * (0.5 + random()));
    }
  };
  const running = Promise.all(clients.map(run));
  return {
    async end() {
      ending = true;
      await running;
    },
  };
}
