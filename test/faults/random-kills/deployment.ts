import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer, type PrivateServer } from '#core/runtime/private-server/index.js';
import { freePort } from '#test/support/free-port.js';
import { inboundSecret } from '#test/email/inbound/support.js';
import { at } from '#test/support/json.js';
import { startStripe, type StripeFake } from '#test/support/stripe.js';
import { startTwilio, type TestTwilio } from '#test/support/twilio.js';
import { textAt } from '../support/call.js';
import { startNode, type NodeProcess } from '../support/node.js';
import type { Journal } from './journal.js';
import { newCertificate, startMailSink, startWebhookSink, type MailSink, type WebhookSink } from './receivers.js';

/** A node of the deployment, which is started again each time it has been killed. */
export interface Member {
  readonly name: 'A' | 'B' | 'worker';
  readonly settings: Readonly<Record<string, string>>;
  process: NodeProcess;
  /** Starts it again, once it has ended. */
  restart(): Promise<void>;
}

/** Two nodes that answer calls and work, a node that only works, their database, and the receivers. */
export interface Deployment {
  readonly folder: string;
  readonly db: ConnectedDatabase;
  readonly server: PrivateServer;
  readonly mail: MailSink;
  readonly twilio: TestTwilio;
  readonly webhooks: WebhookSink;
  readonly stripe: StripeFake;
  /** SVC_BASE_URL. */
  readonly baseUrl: string;
  /** SVC_INBOUND_SECRET. */
  readonly inboundSecret: string;
  readonly members: readonly Member[];
  /** Nodes that stand still because of SIGSTOP. */
  readonly stopped: Set<Member>;
  isStopped(address: string): boolean;
  /** The addresses of the nodes that answer calls. */
  addresses(): readonly string[];
  /** The first secret key of the live environment. */
  liveKey(): Promise<string>;
  /** The first publishable key of the live environment. */
  publishableKey(): Promise<string>;
  /** Stops everything. @returns the exit codes of the nodes, which are 0 for an orderly end */
  stop(): Promise<string[]>;
  /** Ends everything without waiting for work. */
  kill(): Promise<void>;
}

/** What must be the same in all parts of a run. */
interface Fixed {
  readonly secretKey: string;
  readonly key: string;
  readonly certificate: string;
  readonly webhookPort: number;
  readonly ports: Readonly<Record<string, number>>;
}

/** Of a node, on a machine that other programs keep busy. */
const startsWithinMs = 180_000;

const prices = {
  currency: 'USD',
  prices: ['email.message', 'email.broadcast_message', 'sms.segment'].map((meter) => ({
    meter,
    from: '2020-01',
    tiers: [{ upTo: null, unitPrice: '0.01' }],
  })),
};

async function readFixed(path: string): Promise<Fixed | undefined> {
  if (!existsSync(path)) return undefined;
  const value: unknown = JSON.parse(await readFile(path, 'utf8'));
  const port = (...names: string[]): number => Number(at(value, ...names));
  return {
    secretKey: textAt(value, 'secretKey'),
    key: textAt(value, 'key'),
    certificate: textAt(value, 'certificate'),
    webhookPort: port('webhookPort'),
    ports: { A: port('ports', 'A'), B: port('ports', 'B'), worker: port('ports', 'worker') },
  };
}

/** Starts a deployment in a folder, or the one of an earlier part of the run again. */
export async function startDeployment(folder: string, journal: Journal): Promise<Deployment> {
  await mkdir(join(folder, 'state'), { recursive: true });
  const server = await startPrivateServer({ stateDir: folder, log: silentLog, bufferPoolBytes: 128 << 20 });
  const path = join(folder, 'fixed.json');
  const earlier = await readFixed(path);
  const certificate = earlier ?? newCertificate();
  const mail = await startMailSink(journal);
  const twilio = await startTwilio();
  const stripe = await startStripe();
  const webhooks = await startWebhookSink(journal, certificate, earlier?.webhookPort ?? 0);
  const fixed: Fixed = earlier ?? {
    ...certificate,
    secretKey: randomBytes(32).toString('base64'),
    webhookPort: webhooks.port,
    ports: { A: await freePort(), B: await freePort(), worker: await freePort() },
  };
  const authority = join(folder, 'receiver.pem');
  const pricesFile = join(folder, 'prices.json');
  await Promise.all([
    writeFile(path, JSON.stringify(fixed), { mode: 0o600 }),
    writeFile(authority, fixed.certificate),
    writeFile(pricesFile, JSON.stringify(prices)),
  ]);
  const baseUrl = `http://127.0.0.1:${fixed.ports['A'] ?? 0}`;
  const shared = {
    SVC_STATE_DIR: join(folder, 'state'),
    SVC_DATABASE_URL: server.databaseUrl(),
    SVC_BASE_URL: baseUrl,
    SVC_SECRET_KEY: fixed.secretKey,
    SVC_PROCESSES: '1',
    SVC_SMTP_URL: mail.url,
    SVC_SMS_URL: twilio.smsUrl,
    SVC_SMS_ALLOWED_COUNTRIES: 'DE',
    SVC_SMS_REGISTRATION: 'not_required',
    SVC_INBOUND_SECRET: inboundSecret,
    SVC_SIGNUP: 'open',
    SVC_PAYMENT_URL: stripe.paymentUrl,
    SVC_PRICES_FILE: pricesFile,
    SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
    SVC_TRUST_PROXY: '127.0.0.1',
    SVC_DNS_SERVERS: '127.0.0.1:1',
    SVC_LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: authority,
  };
  const members: Member[] = [];
  const stopped = new Set<Member>();
  const start = async (name: Member['name']): Promise<void> => {
    const role = name === 'worker' ? { SVC_ROLE: 'worker' } : {};
    const settings = { ...shared, ...role, SVC_PORT: String(fixed.ports[name] ?? 0) };
    const member: Member = {
      name,
      settings,
      process: await startNode(settings, undefined, startsWithinMs),
      async restart() {
        member.process = await startNode(settings, undefined, startsWithinMs);
      },
    };
    members.push(member);
  };
  const closeReceivers = (): Promise<unknown> =>
    Promise.all([mail.close(), twilio.close(), stripe.close(), webhooks.close()]);
  // The first start creates the tables and the account.
  try {
    await start('A');
    await Promise.all([start('B'), start('worker')]);
  } catch (error) {
    await Promise.all(members.map((member) => member.process.kill()));
    await closeReceivers();
    await server.stop();
    throw error;
  }
  const db = await connectDatabase({ url: server.databaseUrl(), poolSize: 2 });
  const keyAt = async (kind: string): Promise<string> => {
    const facts: unknown = JSON.parse(await readFile(join(folder, 'state', 'first-run.json'), 'utf8'));
    return textAt(facts, 'keys', 'live', kind);
  };
  return {
    folder,
    db,
    server,
    mail,
    twilio,
    webhooks,
    stripe,
    baseUrl,
    inboundSecret,
    members,
    stopped,
    isStopped: (address) => [...stopped].some((member) => member.process.address === address),
    addresses: () => members.flatMap(({ name, process: { address } }) => (name === 'worker' ? [] : [address])),
    liveKey: () => keyAt('secret'),
    publishableKey: () => keyAt('publishable'),
    async stop() {
      const codes = await Promise.all(members.map((member) => member.process.stop()));
      await closeReceivers();
      await db.close();
      await server.stop();
      return codes;
    },
    async kill() {
      await Promise.all(members.map((member) => member.process.kill()));
      await closeReceivers();
      await db.close().catch(() => undefined);
      await server.stop();
    },
  };
}
