import type { Operation } from '#core/kernel/operation.js';
import { goName } from '../../names.js';
import type { GoInputs } from '../inputs.js';
import { goInputName } from './operations.js';
import { typeWriter } from './types.js';

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
