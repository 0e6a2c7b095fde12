import type { coreSettings } from './settings.js';
import type { EventDeclaration } from './event.js';
import type { SystemTemplateFacts } from './system-template.js';
import type { SettingDeclarations, SettingValues } from '#config/declare.js';

/**
 * The share of one process in a limit of the machine, rounded up.
 * @param processes see Deployment
 */
export const shareOf = (limit: number, { count }: Deployment['processes']): number => Math.ceil(limit / count);

/** What this deployment is: its settings, its address, its products. */
export interface Deployment {
  readonly settings: SettingValues<typeof coreSettings>;
  settingsOf<D extends SettingDeclarations>(declarations: D): SettingValues<D>;
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
  /**
   * SVC_BASE_URL is not loopback: no mailbox page, /metrics requires its token, and unsafe database settings stop the
   * start.
   */
  readonly production: boolean;
  /**
   * The processes of svc on this machine (SVC_PROCESSES), this one included. They divide among them what others limit
   * for a machine: the connections of the database, of mail servers and of receivers.
   */
  readonly processes: { readonly count: number; /** Database connections of each. */ readonly poolSize: number };
  /** The events that the enabled products emit. */
  readonly events: ReadonlyMap<string, EventDeclaration>;
  /** Messages that the enabled products send on a project's behalf. */
  readonly systemTemplates: readonly SystemTemplateFacts[];
  /** The operations of all products, including disabled ones, because their audit records remain. */
  readonly operationNames: readonly string[];
  /** The enabled products. */
  readonly products: readonly string[];
}
