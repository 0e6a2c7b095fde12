import type { EntitySchema } from 'typeorm';
import type { SettingDeclarations } from '#config/declare.js';
import type { Callback } from './callback.js';
import type { Authenticator } from './caller/lookup.js';
import type { ErrorDeclaration } from './errors/errors.js';
import type { AddressCheck, PersonEraser } from './erasure/person.js';
import type { EventConsumer } from './events/consumer.js';
import type { EventDeclaration } from './events/declare.js';
import type { Listener } from './listener.js';
import type { Operation } from './operation.js';
import type { Page } from './page.js';
import type { Need, Provision } from './provision.js';
import type { Resource } from './resource.js';
import type { Services } from './services.js';
import type { SystemTemplate } from './system-template.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** What a product is: the table of contents that its index.ts states, without logic. */
export interface Plugin {
  readonly name: string;
  readonly summary: string;
  /** account and developers: without them nothing can be called. */
  readonly alwaysOn?: boolean;
  readonly tables: readonly EntitySchema[];
  readonly operations: readonly Operation[];
  readonly events: Readonly<Record<string, EventDeclaration>>;
  readonly errors: Readonly<Record<string, ErrorDeclaration>>;
  readonly settings?: SettingDeclarations;
  readonly needs?: readonly Need[];
  readonly provides?: readonly Provision[];
  /** Events that this product writes in consequence of another one's: `{ 'account.reopened': ['email.cancelled'] }`. */
  readonly consequences?: Readonly<Record<string, readonly string[]>>;
  /** Messages that this product sends on a project's behalf. */
  readonly systemTemplates?: readonly SystemTemplate[];
  readonly pages?: readonly Page[];
  /** POST addresses under /v1 that providers' servers call. */
  readonly callbacks?: readonly Callback[];
  /** Public documents to GET. */
  readonly resources?: readonly Resource[];
  /** Lines for the start's announcement: what is missing and how to set it. */
  readonly startupNotices?: (services: Services) => readonly string[];
  /** Who recognises credentials: developers brings keys, auth brings dashboard sessions. */
  readonly authenticators?: (services: Services) => Authenticator;
  /** Its consumers of committed events: deliveries to webhook endpoints, counters, triggers. */
  readonly consumes?: readonly EventConsumer[];
  /** How it forgets a person whose erasure was asked for: what it keeps of people, beside what it deletes itself. */
  readonly eraser?: (services: Services) => PersonEraser;
  /** For a product that knows people by their addresses: whether somebody other than an erased person has an address. */
  readonly hasAddress?: AddressCheck;
  /** What runs behind the operations, made once the services stand. */
  readonly work?: (services: Services) => readonly WorkQueue[] | Promise<readonly WorkQueue[]>;
  /** Servers beside HTTP, started after the workers. */
  readonly listeners?: (services: Services) => readonly Listener[];
  readonly jobs?: (services: Services) => readonly RecurringJob[];
}

/** Defines a plugin. A field that Plugin does not have is a compile error. */
export const definePlugin = <const P extends Plugin>(plugin: P & Record<Exclude<keyof P, keyof Plugin>, never>): P =>
  plugin;
