import { createCaller, type Caller } from './call.js';
import { operations, type OperationName, type SvcOperations, type SvcOperationTypes } from './operations.gen.js';
import { everyItem } from './pages.js';
import type { CallOptions, Envelope, Open, OperationFacts, SvcOptions } from './types.js';

/** An operation's input, by its name: `InputOf<'email.send'>`. */
export type InputOf<N extends OperationName> = SvcOperationTypes[N]['input'];
/** An operation's result, by its name. */
export type ResultOf<N extends OperationName> = SvcOperationTypes[N]['result'];
/** The items of a list operation, by its name. */
export type ItemOf<N extends OperationName> = SvcOperationTypes[N]['item'];

/** Any name; editors suggest the known ones, which keep their types. */
type AnyName = OperationName | (string & {});
type Sent<N> = N extends OperationName ? InputOf<N> : object;
type Answered<N> = N extends OperationName ? ResultOf<N> : Open<object>;

/** A client: each operation is a method at its own name, `svc.email.broadcast.pause({ broadcastId })`. */
export interface Svc extends SvcOperations {
  /** Calls an operation by its name, including operations of a newer server. */
  call<N extends AnyName>(name: N, input: Sent<N>, options?: CallOptions): Promise<Answered<N>>;
  /** The same, with the audit record's id and whether the answer is a stored one. */
  envelope<N extends AnyName>(name: N, input: Sent<N>, options?: CallOptions): Promise<Envelope<Answered<N>>>;
}

/** A method: the call, and `all` where the operation lists. */
function methodOf(caller: Caller, name: string, { list }: OperationFacts): object {
  const call = async (input?: object, options?: CallOptions): Promise<unknown> =>
    (await caller(name, input, options)).result;
  if (list === undefined) return call;
  const all = (input: object = {}, options?: CallOptions): AsyncGenerator =>
    everyItem(caller, name, list, input, options);
  return Object.assign(call, { all });
}

/** Nests the methods by the dots of their names. Plain objects: every node of a Proxy would look callable and like a promise. */
function treeOf(caller: Caller, table: Readonly<Record<string, OperationFacts>>): object {
  const root = {};
  for (const [name, facts] of Object.entries(table)) {
    const words = name.split('.');
    const last = words.pop() ?? '';
    const parent = words.reduce<object>((node, word) => {
      const found: unknown = Object.hasOwn(node, word) ? Reflect.get(node, word) : undefined;
      if ((typeof found === 'object' && found !== null) || typeof found === 'function') return found;
      const made = {};
      Reflect.set(node, word, made);
      return made;
    }, root);
    const already: unknown = Object.hasOwn(parent, last) ? Reflect.get(parent, last) : {};
    Reflect.set(parent, last, Object.assign(methodOf(caller, name, facts), already));
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
 * Lets `new` call a plain function: JavaScript answers with the object that it returns. The overload ties the object to types that
 * were generated from the same operations, which a loop over names cannot express.
 */
function constructedBy(make: (options: SvcOptions) => object): new (options: SvcOptions) => Svc;
function constructedBy(make: (options: SvcOptions) => object): unknown {
  return function Svc(options: SvcOptions) {
    return make(options);
  };
}

/** `const svc = new Svc({ apiKey, baseUrl })` */
export const Svc = constructedBy(createClient);
