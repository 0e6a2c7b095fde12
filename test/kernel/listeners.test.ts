import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { definePlugin } from '#core/kernel/plugin.js';
import type { Listener } from '#core/kernel/listener.js';
import { usePlatform } from '#test/support/platform.js';
import { lab } from './support/lab.js';

/** What became of the product's listeners, in order. */
const log: string[] = [];
let port = 0;

/** Says hello to whoever connects. */
function greeter(): Listener {
  const server = createServer((socket) => void socket.end('hello'));
  return {
    name: 'Greeter',
    role: 'api',
    async start() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = addressOf(server.address()).port;
      log.push('greeter started');
    },
    async stop() {
      server.close();
      await once(server, 'close');
      log.push('greeter stopped');
    },
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('The server listens on no port.');
}

const recording = (name: string, role: Listener['role']): Listener => ({
  name,
  role,
  start: async () => void log.push(`${name} started`),
  stop: async () => void log.push(`${name} stopped`),
});

const product = definePlugin({
  ...lab(),
  listeners: () => [recording('worker listener', 'worker'), greeter()],
});

const greeting = async (): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
};

describe('A product’s listeners', () => {
  const platform = usePlatform({ plugins: [product] });

  it('listen while the process runs, and stop with it', async () => {
    expect(log).to.deep.equal(['worker listener started', 'greeter started']);
    expect(await greeting()).to.equal('hello');
    await platform.restart();
    expect(log.slice(2, 4)).to.have.members(['greeter stopped', 'worker listener stopped']);
    expect(log.slice(4)).to.deep.equal(['worker listener started', 'greeter started']);
    expect(await greeting()).to.equal('hello');
  });

  it('stop the start with their reason when they cannot listen', async () => {
    log.length = 0;
    const failed = await platform.secondNode().catch((error: unknown) => error);
    expect(failed).to.be.an('error');
    expect(String(failed)).to.contain('Greeter did not start: listen EADDRINUSE');
    expect(log).to.deep.equal(['worker listener started', 'worker listener stopped']);
    expect(await greeting()).to.equal('hello');
  });
});

describe('A product’s listeners, where SVC_ROLE is worker', () => {
  before(() => void (log.length = 0));
  usePlatform({ plugins: [product], settings: () => ({ SVC_ROLE: 'worker' }) });

  it('start only where they belong', () => {
    expect(log).to.deep.equal(['worker listener started']);
  });
});
