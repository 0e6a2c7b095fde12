import { createCaller, type Caller } from './call.js';
import { operations, type OperationName, type SvcOperations, type SvcOperationTypes } from './operations.gen.js';
import type { CallOptions, Envelope, OperationFacts, SvcOptions } from './types.js';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Iterates over all items of a list, newest first. Pages are fetched as the loop reaches them (docs/interface.md, Calls
 * 6); the input's `limit` is the page size.
 * @param field the field of the reply that holds the items
 */
async function* allItems(
  call: Caller,
  name: string,
  field: string,
  input: object,
  options: CallOptions | undefined,
): AsyncGenerator<unknown, void, undefined> {
  for (let page = input; ;) {
    const { result } = await call(name, page, options);
    const reply = isRecord(result) ? result : {};
    const items: unknown = reply[field];
    if (Array.isArray(items)) yield* items;
    const before = reply['nextBefore'];
    if (typeof before !== 'string') return;
    page = { ...input, before };
  }
}

/** An operation's input, by its name: `InputOf<'email.send'>`. */
export type InputOf<N extends OperationName> = SvcOperationTypes[N]['input'];
/** An operation's result, by its name. */
export type ResultOf<N extends OperationName> = SvcOperationTypes[N]['result'];
/** The items of a list operation, by its name. */
export type ItemOf<N extends OperationName> = SvcOperationTypes[N]['item'];

/** Any operation name. Known names are suggested by editors and keep their types. */
type AnyName = OperationName | (string & {});
type InputFor<N> = N extends OperationName ? InputOf<N> : object;
type ResultFor<N> = N extends OperationName ? ResultOf<N> : Record<string, unknown>;

/** The client. Each operation is a method named like the operation: `svc.email.broadcast.pause({ broadcastId })`. */
export interface Svc extends SvcOperations {
  /** Calls an operation by its name. Also works for operations that only newer servers have. */
  call<N extends AnyName>(name: N, input: InputFor<N>, options?: CallOptions): Promise<ResultFor<N>>;
  /**
   * Like `call`, but returns the whole envelope: the result, the audit record's id and whether the response was
   * replayed.
   */
  envelope<N extends AnyName>(name: N, input: InputFor<N>, options?: CallOptions): Promise<Envelope<ResultFor<N>>>;
}

/** The method of an operation; list operations also get `all`. */
function methodOf(caller: Caller, name: string, { list }: OperationFacts): object {
  const call = async (input?: object, options?: CallOptions): Promise<unknown> =>
    (await caller(name, input, options)).result;
  if (list === undefined) return call;
  const all = (input: object = {}, options?: CallOptions): AsyncGenerator =>
    allItems(caller, name, list, input, options);
  return Object.assign(call, { all });
}

/**
 * Builds the tree of methods from the dotted names. Plain objects, not a Proxy, whose nodes would look callable and
 * like promises.
 */
function treeOf(caller: Caller, table: Readonly<Record<string, OperationFacts>>): object {
  const root = {};
  for (const [name, facts] of Object.entries(table)) {
    const parts = name.split('.');
    const last = parts.pop() ?? '';
    const parent = parts.reduce<object>((node, part) => {
      const found: unknown = Object.hasOwn(node, part) ? Reflect.get(node, part) : undefined;
      if ((typeof found === 'object' && found !== null) || typeof found === 'function') return found;
      const child = {};
      Reflect.set(node, part, child);
      return child;
    }, root);
    const existing: unknown = Object.hasOwn(parent, last) ? Reflect.get(parent, last) : {};
    Reflect.set(parent, last, Object.assign(methodOf(caller, name, facts), existing));
  }
  return root;
}

function createClient(options: SvcOptions): object {
  const caller = createCaller(options, operations);
  return {
    ...treeOf(caller, operations),
    envelope: caller,
    call: async (name: string, input?: object, callOptions?: CallOptions) =>
      (await caller(name, input, callOptions)).result,
  };
}

/**
 * Makes a constructor of a function: `new` returns the object that the function returns. The overload states the
 * generated types of that object, which a loop over names cannot express.
 */
function constructorOf(make: (options: SvcOptions) => object): new (options: SvcOptions) => Svc;
function constructorOf(make: (options: SvcOptions) => object): unknown {
  return function Svc(options: SvcOptions) {
    return make(options);
  };
}

/** `const svc = new Svc({ apiKey, baseUrl })` */
export const Svc = constructorOf(createClient);
