import type { Operation } from '#core/kernel/operation.js';
import { goName } from '../../names.js';
import { goInputName } from './operations.js';
import { typeWriter } from './types.js';

/** What examples in Go need to know about inputs. */
export interface GoInputs {
  /** The struct of an operation's input, by the operation, unless it is named after the operation. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The types of the fields of each struct, by the interface's names. Fields of type `*string` are left out. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The types of the inputs of these operations, as the SDK declares them. */
export function goInputsOf(operations: Iterable<Operation>): GoInputs {
  const writer = typeWriter('input');
  const inputs: Record<string, string> = {};
  for (const operation of operations) {
    const input = writer.declare(goInputName(operation), operation.input);
    if (input !== `${goName(operation.name)}Input`) inputs[operation.name] = input;
  }
  const structs: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, fields] of writer.fields)
    structs[name] = Object.fromEntries([...fields].filter(([, type]) => type !== '*string'));
  return { inputs, structs };
}
