import { createGate, type Gate } from './gate.js';
import { proxyBefore, type TcpProxy } from './tcp-proxy.js';

/**
 * A proxy in front of the database that can hold back specific statements, so that a test decides which of two
 * transactions comes first.
 */
interface StatementGate {
  /** For `usePlatform`. */
  databaseUrl(url: string): Promise<string>;
  /**
   * Holds every message with this SQL text until the gate is opened. Statements of other connections continue.
   * @param options.after how many such messages pass before the first one that is held; 0 by default
   */
  hold(sql: string, options?: { after?: number }): Gate;
}

/** Call it in `describe`, before `usePlatform`. */
export function useStatementGate(): StatementGate {
  const parts: { proxy?: TcpProxy } = {};
  /** Newest first. */
  const held: { sql: string; gate: Gate; passing: number }[] = [];
  after(() => parts.proxy?.close());
  return {
    async databaseUrl(given) {
      const { proxy, url } = await proxyBefore(given);
      parts.proxy = proxy;
      proxy.onSent((bytes) => {
        const found = held.find(({ sql }) => bytes.includes(sql));
        if (!found) return undefined;
        found.passing -= 1;
        return found.passing < 0 ? found.gate.pass() : undefined;
      });
      return url;
    },
    hold(sql, options = {}) {
      const gate = createGate();
      gate.close();
      held.unshift({ sql, gate, passing: options.after ?? 0 });
      return gate;
    },
  };
}
