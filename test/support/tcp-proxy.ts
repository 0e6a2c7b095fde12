import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { databaseAddress } from '#core/runtime/database/address.js';

/** A proxy between two programs that can break their connections like a network failure. */
export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /**
   * Called with bytes that a client sent, before they are forwarded; if it returns a promise, they are forwarded once
   * it is fulfilled.
   */
  onSent(see: (bytes: Buffer, link: Link) => unknown): void;
  /** Refuses new connections and cuts the open ones, until `restore`. */
  sever(): void;
  /** Cuts the open connections and refuses the next `count` new ones. */
  stumble(count: number): void;
  /** Forwards nothing without closing anything: both sides wait. */
  freeze(): void;
  restore(): void;
  close(): Promise<void>;
}

/** One connection through the proxy. */
interface Link {
  /** Drops the server's next answer and closes the connection. @param then called once the answer was dropped */
  loseAnswer(then?: () => void): void;
  cut(): void;
}

/** @param target where it forwards to: a port, or the path of a Unix socket */
export async function startTcpProxy(target: { host: string; port: number } | { path: string }): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let see: ((bytes: Buffer, link: Link) => unknown) | undefined;
  let state: 'whole' | 'severed' | 'frozen' = 'whole';
  let refusing = 0;

  const server = createServer((client) => {
    if (state === 'severed' || refusing > 0) {
      refusing = Math.max(0, refusing - 1);
      client.destroy();
      return;
    }
    const upstream = connect(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    let losing: { then: (() => void) | undefined } | undefined;
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
      pairs.delete(pair);
    };
    client.on('data', (bytes) => {
      const held = see?.(bytes, { cut, loseAnswer: (then) => void (losing = { then }) });
      if (!(held instanceof Promise)) {
        upstream.write(bytes);
        return;
      }
      client.pause();
      void held.then(() => {
        upstream.write(bytes);
        client.resume();
      });
    });
    upstream.on('data', (bytes) => {
      if (losing) {
        cut();
        losing.then?.();
      } else client.write(bytes);
    });
    for (const side of pair) side.on('close', cut).on('error', cut);
    if (state === 'frozen') for (const side of pair) side.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The proxy has no port.');

  const each = (act: (side: Socket) => void): void => [...pairs].flat().forEach(act);
  return {
    host: '127.0.0.1',
    port: bound.port,
    onSent(given) {
      see = given;
    },
    sever() {
      state = 'severed';
      each((side) => side.destroy());
    },
    stumble(count) {
      refusing = count;
      each((side) => side.destroy());
    },
    freeze() {
      state = 'frozen';
      each((side) => side.pause());
    },
    restore() {
      state = 'whole';
      refusing = 0;
      each((side) => side.resume());
    },
    async close() {
      each((side) => side.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts a proxy for the server of a database's URL. @returns it, and the URL that uses it */
export async function proxyBefore(url: string): Promise<{ proxy: TcpProxy; url: string }> {
  const [{ host, port, socketPath }] = databaseAddress(url).hosts;
  const proxy = await startTcpProxy(socketPath === undefined ? { host, port } : { path: socketPath });
  const proxied = new URL(url);
  proxied.hostname = proxy.host;
  proxied.port = String(proxy.port);
  proxied.searchParams.delete('socketPath');
  return { proxy, url: proxied.href };
}
