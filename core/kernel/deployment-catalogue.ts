import type { ErrorDeclaration } from './errors/errors.js';
import type { EventDeclaration } from './event.js';
import type { Operation } from './operation.js';
import type { SystemTemplateFacts } from './system-template.js';

/** The operations, events and errors of this deployment: all code that lists or finds operations reads them here. */
export interface Catalogue {
  /** The enabled products, each with a sentence. */
  readonly products: ReadonlyMap<string, string>;
  /** The purpose of each group of operations within a product, by name: `email.message`. */
  readonly groups: ReadonlyMap<string, string>;
  /** By name; only operations that can be called, without input fields and error codes of disabled products. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Those of all products, including disabled ones. */
  readonly operationNames: readonly string[];
  /** Those of enabled products, without those that require a disabled one. */
  readonly events: ReadonlyMap<string, EventDeclaration>;
  /** Those of enabled products. A name may occur once per channel. */
  readonly systemTemplates: readonly SystemTemplateFacts[];
  /** Common codes and those of all known products, by code: an operation may list a code of another product. */
  readonly errors: Readonly<Record<string, ErrorDeclaration>>;
  /**
   * Common codes and those of the enabled products, without codes that are listed only by operations that require a
   * disabled product.
   */
  readonly enabledErrors: Readonly<Record<string, ErrorDeclaration>>;
  /** @throws unknown_operation (suggesting the nearest), product_disabled */
  at(path: string): Operation;
  /** Codes that an operation can answer: its own codes and those of every call of its kind. */
  codesOf(operation: Operation): string[];
  /** Events that an operation can lead to, in enabled products. */
  eventsOf(operation: Operation): string[];
}
