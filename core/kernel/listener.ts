/** Where a listener listens, which the start checks before it opens the database. */
export interface ListenerPort {
  /** For the log and for the error of a failed start: “SMTP on port 25”. */
  readonly name: string;
  readonly port: number;
  /** The setting of its port, which the error of a failed start names. */
  readonly portSetting: string;
  /** See `Listener`. */
  readonly role: 'api' | 'worker';
}

/** A server of a product's own, beside HTTP: an SMTP receiver. It starts and stops with the process. */
export interface Listener {
  /** For the log and for the error of a failed start: “SMTP on port 25”. */
  readonly name: string;
  /** The setting of its port, which the error of a failed start names. */
  readonly portSetting?: string;
  /** The processes that run it, by SVC_ROLE: those that answer calls, or those that run workers. `all` runs both. */
  readonly role: 'api' | 'worker';
  /** @throws Error when it cannot listen: the process does not start then */
  start(): Promise<void>;
  /** Accepts nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}
