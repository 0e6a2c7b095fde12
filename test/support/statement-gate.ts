import { createGate, type Gate } from './gate.js';
import { proxyBefore, type TcpProxy } from './tcp-proxy.js';

/** A proxy before the database that can hold chosen statements back, so that a test decides which of two transactions comes first. */
export interface StatementGate {
  /** For `usePlatform`. */
  databaseUrl(url: string): Promise<string>;
  /** Holds every message with this SQL text, until the gate is opened. Statements of other connections go on. */
  hold(sql: string): Gate;
}

/** Call it in `describe`, before `usePlatform`. */
export function useStatementGate(): StatementGate {
  const parts: { proxy?: TcpProxy } = {};
  after(() => parts.proxy?.close());
  return {
    async databaseUrl(given) {
      const { proxy, url } = await proxyBefore(given);
      parts.proxy = proxy;
      return url;
    },
    hold(sql) {
      const gate = createGate();
      gate.close();
      parts.proxy?.onSent((bytes) => (bytes.includes(sql) ? gate.pass() : undefined));
      return gate;
    },
  };
}
