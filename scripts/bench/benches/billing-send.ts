import { resolve } from 'node:path';
import type { Bench } from '../bench.js';
import { messageSender } from './write.js';

/**
 * email.send of a server that meters and has prices, compared with one where billing is not enabled. The account has no
 * cap.
 */
export const billingSend: Bench = {
  name: 'billing-send',
  target: 0.9,
  async prepare(stage) {
    const charging = await stage.startNode({ SVC_PRICES_FILE: resolve('docs/prices.example.json') });
    const plain = await stage.startNode({ SVC_PRODUCTS: 'account,audience,auth,developers,email,sms' });
    const [svc, floor] = [messageSender(charging.address, stage), messageSender(plain.address, stage)];
    await Promise.all([svc.first(), floor.first()]);
    return {
      svc: { words: 'email.send with prices', pid: charging.pid, round: await svc.warm() },
      floor: { words: 'email.send without billing', pid: plain.pid, round: await floor.warm() },
      async close() {
        await Promise.all([svc.close(), floor.close()]);
        await Promise.all([charging.stop(), plain.stop()]);
      },
    };
  },
};
