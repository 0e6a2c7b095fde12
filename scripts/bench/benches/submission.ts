import { createServer } from 'node:net';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import type { Bench } from '../bench.js';
import { call } from '../call.js';
import { drive, inTurn } from '../load.js';
import { messageSender } from './write.js';

const warmUpMs = 2_000;
/** Each has its own key: at 600 submissions a second, each key is at two thirds of its rate limit. */
const connections = 100;

/** A port that nobody listens on. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** The message of the bench `write`, as a program submits it. */
const mailFrom = (from: string): SendMailOptions => ({
  from,
  to: 'ada@example.com',
  subject: 'Your order A-1024 is on its way',
  text: 'Hello Ada,\n\nyour order A-1024 has left our house and should be with you on Friday.\n'.repeat(4),
});

/**
 * Submits messages by SMTP over connections that stay open, as the pool of a program does. Its floor is `email.send` of
 * the same message over HTTP. Without TLS on both sides.
 */
export const submission: Bench = {
  name: 'submission',
  target: 0.6,
  async prepare(stage) {
    const port = await freePort();
    const node = await stage.startNode({
      SVC_SUBMISSION_PORT: String(port),
      SVC_SUBMISSION_CONNECTIONS: String(2 * connections),
    });
    const sender = messageSender(stage.svc.address, stage);
    await sender.first();
    const { ownAddress } = await call(stage, 'email.sender.get', {});
    const mail = mailFrom(String(ownAddress));
    const pools: Transporter[] = stage.keys.slice(-connections).map((pass) =>
      createTransport({
        ...{ host: '127.0.0.1', port, ignoreTLS: true, auth: { user: 'bench', pass } },
        ...{ pool: true, maxConnections: 1, maxMessages: Infinity },
      }),
    );
    const next = inTurn(pools, connections);
    const submit = async (): Promise<void> => {
      await next().sendMail(mail);
    };
    await drive(warmUpMs, submit);
    return {
      svc: { words: 'SMTP submission', pid: node.pid, round: (ms) => drive(ms, submit) },
      floor: { words: 'email.send over HTTP', pid: stage.svc.pid, round: await sender.warm() },
      async close() {
        pools.forEach((pool) => pool.close());
        await sender.close();
        await node.stop();
      },
    };
  },
};
