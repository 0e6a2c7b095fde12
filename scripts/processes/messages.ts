import type { ProcessMetrics } from '#core/surfaces/http/metrics.js';

/* The messages between the supervisor and the processes of one svc, over the channel of node:cluster. */

export type ToProcess =
  /**
   * What the process starts with. Only the first one reports its progress and checks the settings against those of the
   * deployment: the node goes on with its own, also after other nodes have changed ones.
   */
  | { kind: 'start'; databaseUrl: string; secretKey: string; description: string; isFirst: boolean }
  /** Print the summary of the start: all processes are ready. */
  | { kind: 'announce'; processes: number; seconds: number }
  | { kind: 'stop' }
  /** End the wait of SVC_STOP_DELAY_SECONDS. */
  | { kind: 'end-delay' }
  /** Do you still answer? */
  | { kind: 'ask' }
  /** Send your metrics. */
  | { kind: 'collect'; id: number }
  /** The metrics of all processes, for a scrape that this one received. */
  | { kind: 'collected'; id: number; text: string };

export type ToSupervisor =
  /** The process listens for messages. Earlier ones would be lost. */
  | { kind: 'listening' }
  | { kind: 'ready' }
  /** To `ask`: its event loop runs. */
  | { kind: 'alive' }
  /** @see messageOf in scripts/start.ts */
  | { kind: 'failed'; message: string }
  /** Somebody reads /metrics here: collect those of all processes. */
  | { kind: 'scrape'; id: number }
  | { kind: 'metrics'; id: number; metrics: ProcessMetrics };

const hasKind = (message: unknown, kinds: readonly string[]): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'kind' in message &&
  typeof message.kind === 'string' &&
  kinds.includes(message.kind);

/** Both sides are the same program, so the kind identifies the rest. */
export const isToProcess = (message: unknown): message is ToProcess =>
  hasKind(message, ['start', 'announce', 'stop', 'end-delay', 'ask', 'collect', 'collected']);
export const isToSupervisor = (message: unknown): message is ToSupervisor =>
  hasKind(message, ['listening', 'ready', 'alive', 'failed', 'scrape', 'metrics']);
