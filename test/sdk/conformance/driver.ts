import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { isRecord } from '#core/runtime/json.js';

/*
 * One suite for the SDKs of all languages. A driver is a program that uses an SDK: it reads requests as JSON lines on
 * standard input, carries out one after the other, and writes the outcome of each as a JSON line on standard output.
 * Names of operations, fields and settings are those of the interface and of the TypeScript SDK; a driver translates
 * them for its language. The suite is test/sdk/conformance.test.ts. To add a language, write a driver and list it
 * there.
 */

/** Settings of the client. Drivers replace the timer, and random numbers by 1. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly environmentId?: string;
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
  readonly maxWaitMs?: number;
}

/** Options of one call. */
export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly environmentId?: string;
  readonly maxAgeSeconds?: number;
}

export type Request =
  /** Calls the operation by its typed method, with the input as typed arguments. */
  | {
      readonly do: 'call';
      readonly client: ClientSettings;
      readonly operation: string;
      readonly input: unknown;
      readonly options?: CallOptions;
    }
  /** Calls an operation by its name. */
  | {
      readonly do: 'callByName';
      readonly client: ClientSettings;
      readonly operation: string;
      readonly input: unknown;
      readonly options?: CallOptions;
    }
  /** Iterates over a list's items. @param take ends the loop after so many */
  | {
      readonly do: 'all';
      readonly client: ClientSettings;
      readonly operation: string;
      readonly input: unknown;
      readonly take?: number;
    }
  /** Verifies a delivery. @param body in base64 */
  | {
      readonly do: 'webhook';
      readonly body: string;
      readonly header: string | null;
      readonly secret: string | null;
      readonly nowMs: number;
    }
  /** Verifies access tokens one after the other, with one verifier. */
  | {
      readonly do: 'tokens';
      readonly baseUrl: string;
      readonly environmentId: string;
      readonly checks: readonly { readonly token: string; readonly nowMs: number }[];
    };

/**
 * What became of a request:
 * - of a call `result`, read from the fields of the typed reply, with the interface's names; of a call by name also
 *   `activityId` and `replayed` of its envelope; of a list `items`;
 * - or `error`: `code`, `status`, `message`, `fix`, `requestId`, `operation`, `details`, `retryAfter` and
 *   `idempotencyKey`;
 * - `waitsMs`: how long the client waited before each retry, in milliseconds;
 * - of a delivery `event`, or `rejected` with the reason, or `misused`: the arguments were wrong;
 * - of tokens `checks`: each token's `sub`, or `rejected` with the reason;
 * - `failed`: the driver or the SDK failed otherwise.
 */
export type Outcome = Readonly<Record<string, unknown>>;

export interface Driver {
  carryOut(request: Request): Promise<Outcome>;
  stop(): Promise<void>;
}

/** Starts a driver. Its errors are printed. */
export function startDriver(command: string, args: readonly string[]): Driver {
  const child: ChildProcess = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error(`${command} has no standard input or output.`);
  const lines: Interface = createInterface({ input: stdout });
  const exit = once(child, 'exit');
  return {
    async carryOut(request) {
      const text = JSON.stringify(request);
      const answer = once(lines, 'line');
      stdin.write(`${text}\n`);
      const line: unknown = await Promise.race([
        answer.then((found: unknown[]) => found[0]),
        exit.then((found: unknown[]) => {
          throw new Error(`${command} ended with ${String(found[0])} at ${text.slice(0, 300)}`);
        }),
      ]);
      const outcome: unknown = JSON.parse(String(line));
      if (!isRecord(outcome)) throw new Error(`${command} wrote no object: ${String(line)}`);
      if (typeof outcome['failed'] === 'string') throw new Error(`${outcome['failed']} at ${text.slice(0, 300)}`);
      return outcome;
    },
    async stop() {
      stdin.end();
      await exit;
    },
  };
}
