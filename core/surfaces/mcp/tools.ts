import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { accessRefusal } from '#core/kernel/runner/resolve.js';
import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import type { JsonSchema } from '#core/kernel/schema/schema.js';
import { isRecord, listAt } from '#core/runtime/json.js';
import { toolName } from '../names.js';

/** A tool as MCP lists it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  outputSchema?: { type: 'object'; [key: string]: unknown };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** The operations that a caller may call, including public ones. */
export interface Toolbox {
  readonly operations: readonly Operation[];
  /** The operations as tools, made at the first use. */
  readonly tools: () => readonly Tool[];
}

const toolboxes = new WeakMap<Catalogue, Map<string, Toolbox>>();
const maxToolboxes = 100;

/** All properties of a caller that decide what it may call (see accessRefusal), and the products. */
function toolboxKey(
  { kind, publishable, environment, role, permissions }: TenantCaller,
  products: readonly string[],
): string {
  return JSON.stringify([
    publishable,
    [kind, environment.kind, environment.operator],
    role === 'owner',
    [...permissions].sort(),
    [...new Set(products)].sort(),
  ]);
}

/**
 * The toolbox of a caller, in the named products (all if none is named). Callers with the same permissions share one:
 * making the tools of all operations takes as long as hundreds of calls.
 */
export function toolboxOf(catalogue: Catalogue, caller: TenantCaller, products: readonly string[]): Toolbox {
  const known = toolboxes.get(catalogue) ?? new Map<string, Toolbox>();
  toolboxes.set(catalogue, known);
  const key = toolboxKey(caller, products);
  const found = known.get(key);
  if (found) return found;
  const operations = [...catalogue.operations.values()].filter(
    (operation) =>
      (products.length === 0 || products.includes(operation.product)) && accessRefusal(operation, caller) === undefined,
  );
  let tools: readonly Tool[] | undefined;
  const made: Toolbox = { operations, tools: () => (tools ??= operations.map(toolOf)) };
  if (known.size >= maxToolboxes) known.clear();
  known.set(key, made);
  return made;
}

/** Formats that JSON Schema does not define. Clients that check replies would warn of each. */
const ownFormats: ReadonlySet<unknown> = new Set(['mailbox', 'phone']);

/** A schema as plain JSON, without the symbols that mark schemas inside svc. */
const jsonSchema = (schema: JsonSchema, without?: ReadonlySet<unknown>): { type: 'object'; [key: string]: unknown } => {
  const copy: unknown = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'format' && without?.has(value) ? undefined : value)),
  );
  return typeof copy === 'object' && copy !== null ? { ...copy, type: 'object' } : { type: 'object' };
};

export const idempotencyField = 'idempotencyKey';

/**
 * Model providers refuse every call of an agent that has a tool with one of these at the root of its input. The server
 * still checks them, and `alternativesOf` states them in the tool's description.
 */
const rootCombiners = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const'];

/** “Pass exactly one of email and phone.” for a schema with alternatives at its root; otherwise empty. */
function alternativesOf({ oneOf }: JsonSchema): string {
  if (!Array.isArray(oneOf)) return '';
  const names = oneOf.flatMap((each: unknown) => (isRecord(each) ? listAt(each, 'required') : []));
  return ` Pass exactly one of ${names.slice(0, -1).join(', ')} and ${String(names.at(-1))}.`;
}

/** The input schema of a tool: the operation's own; writes also accept an idempotency key. */
export function toolInput(operation: Operation): { type: 'object'; [key: string]: unknown } {
  const schema = jsonSchema(operation.input);
  for (const combiner of rootCombiners) Reflect.deleteProperty(schema, combiner);
  if (operation.impact.read) return schema;
  const { properties } = schema;
  return {
    ...schema,
    properties: {
      ...(typeof properties === 'object' ? properties : {}),
      [idempotencyField]: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Choose a new one for each call; when you retry a call, pass the same one, and it runs only once.',
      },
    },
  };
}

/** Describes an operation as a tool, with hints from its impact. */
export function toolOf(operation: Operation): Tool {
  const { name, summary, description, impact } = operation;
  const retry = impact.read || impact.retrySafe ? '' : ` When you retry, pass the same ${idempotencyField}.`;
  return {
    name: toolName(name),
    title: name,
    description: `${summary}${description === undefined ? '' : ` ${description}`}${alternativesOf(operation.input)}${retry}`,
    inputSchema: toolInput(operation),
    outputSchema: {
      type: 'object',
      required: ['activityId', 'result'],
      properties: { activityId: { type: 'string' }, result: jsonSchema(operation.output, ownFormats) },
    },
    annotations: {
      title: name,
      readOnlyHint: impact.read,
      destructiveHint: impact.destructive,
      idempotentHint: impact.read || impact.retrySafe,
      openWorldHint: impact.billable,
    },
  };
}
