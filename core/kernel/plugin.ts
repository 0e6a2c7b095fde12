import type { EntitySchema } from 'typeorm';
import type { SettingDeclarations, SettingValues } from '#config/declare.js';
import type { Callback } from './callback.js';
import type { Authenticator } from './caller/authenticator.js';
import type { ErrorCode, ErrorDeclaration } from './errors/errors.js';
import type { FindAddressHolder, PersonEraser } from './person.js';
import type { EventConsumer } from './events/consumer.js';
import type { EventDeclaration } from './event.js';
import type { Listener, ListenerPort } from './listener.js';
import type { Operation } from './operation.js';
import type { Endpoint } from './endpoint.js';
import type { OutgoingKind } from './outgoing/kind.js';
import type { Page } from './page.js';
import type { Need, Provision } from './provision.js';
import type { Resource } from './resource.js';
import type { Services, WorkerServices } from './services.js';
import type { SystemTemplateFacts } from './system-template.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** What a plugin's checks before the start can use. */
export interface StartFacts {
  /** SVC_BASE_URL is not a loopback address. */
  readonly production: boolean;
  settingsOf<D extends SettingDeclarations>(declarations: D): SettingValues<D>;
}

/** The parts of a product. Its index.ts lists them and contains no logic. */
export interface Plugin {
  readonly name: string;
  readonly summary: string;
  /** The purpose of each group of operations, by its name without the product: `{ 'webhook.delivery': '…' }`. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Enabled regardless of SVC_PRODUCTS, because no operation can be called without it. */
  readonly alwaysOn?: boolean;
  readonly tables: readonly EntitySchema[];
  readonly operations: readonly Operation[];
  readonly events: Readonly<Record<string, EventDeclaration>>;
  readonly errors: Readonly<Record<string, ErrorDeclaration>>;
  readonly settings?: SettingDeclarations;
  readonly needs?: readonly Need[];
  readonly provides?: readonly Provision[];
  /**
   * Events that this product writes as a consequence of another product's events: `{ 'account.reopened':
   * ['email.cancelled'] }`.
   */
  readonly consequences?: Readonly<Record<string, readonly string[]>>;
  /** Messages that this product sends on a project's behalf. */
  readonly systemTemplates?: readonly SystemTemplateFacts[];
  readonly pages?: readonly Page[];
  /** POST addresses under /v1 that providers' servers call. */
  readonly callbacks?: readonly Callback[];
  /** Addresses of protocols that a library speaks with other software. */
  readonly endpoints?: readonly Endpoint[];
  /** Public documents, served to GET. */
  readonly resources?: readonly Resource[];
  /**
   * Creates rows that the deployment needs once. Runs at every start after the migrations and the first account, under
   * a lock shared by nodes that start at the same time. It must recognize rows that an earlier start created.
   */
  readonly setUp?: (services: WorkerServices) => Promise<void>;
  /** More fields at the root of /openapi.json, each beginning with `x-svc-`. */
  readonly describes?: (services: WorkerServices) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Settings that are missing or contradict each other, each with its fix; any of them stops `npm start` before the
   * database is opened.
   */
  readonly startProblems?: (facts: StartFacts) => readonly string[];
  /** Lines that the start prints: which settings are missing and how to set them. */
  readonly startupNotices?: (services: Services) => readonly string[];
  /** Recognises keys, dashboard sessions or users' access tokens. */
  readonly authenticators?: (services: Services) => Authenticator;
  /** Codes with which its authenticator refuses an end user: every operation that takes an access token lists them. */
  readonly userRefusals?: readonly ErrorCode[];
  /** Its consumers of committed events: deliveries to webhook endpoints, counters, triggers. */
  readonly consumes?: readonly EventConsumer[];
  /** Erases the product's data about a person whose erasure was requested. */
  readonly eraser?: (services: Services) => PersonEraser;
  /** For a product that stores people's addresses: finds another person who has an address of the erased one. */
  readonly findAddressHolder?: FindAddressHolder;
  /** Work queues, created once the services are ready. */
  readonly work?: (services: Services) => readonly WorkQueue[] | Promise<readonly WorkQueue[]>;
  /** What leaves the deployment by its queues: operators hold it after they restored a backup. */
  readonly outgoing?: readonly OutgoingKind[];
  /** Servers in addition to HTTP, started after the workers. */
  readonly listeners?: (services: Services) => readonly Listener[];
  /** The ports of those servers. If one of them is taken, the start is refused before the database is opened. */
  readonly listensOn?: (facts: StartFacts) => readonly ListenerPort[];
  readonly jobs?: (services: Services) => readonly RecurringJob[];
}

/** Defines a plugin. A field that Plugin does not have is a compile error. */
export const definePlugin = <const P extends Plugin>(plugin: P & Record<Exclude<keyof P, keyof Plugin>, never>): P =>
  plugin;
