/** The address that a listener listens on. The start checks it before it opens the database. */
export interface ListenerPort {
  /** For the log and for the error of a failed start: “SMTP on port 25”. */
  readonly name: string;
  readonly port: number;
  /** The setting of its port, named in the error of a failed start. */
  readonly portSetting: string;
  /** See `Listener`. */
  readonly role: 'api' | 'worker';
}

/** A product's own server in addition to HTTP, such as an SMTP receiver. It starts and stops with the process. */
export interface Listener {
  /** For the log and for the error of a failed start: “SMTP on port 25”. */
  readonly name: string;
  /** The setting of its port, named in the error of a failed start. */
  readonly portSetting?: string;
  /** The processes that run it, by SVC_ROLE: those that answer calls, or those that run workers. `all` runs both. */
  readonly role: 'api' | 'worker';
  /** @throws Error if it cannot listen; the process then does not start */
  start(): Promise<void>;
  /** Stops accepting connections, and waits for work in progress. */
  stop(): Promise<void>;
}
