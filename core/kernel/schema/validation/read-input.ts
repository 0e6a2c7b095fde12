import type { Holder } from '#core/runtime/holder.js';
import { isRecord } from '#core/runtime/json.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import type { SvcError } from '../../errors/errors.js';
import { isSchema, propertiesOf, type JsonSchema } from '../schema.js';
import { readTyped } from './read-typed.js';
import { inputProblem } from './validate.js';

/** Elements of a long list that are checked in one turn: about 3 ms. */
const elementsPerTurn = 500;

interface LongList {
  readonly input: Record<string, unknown>;
  readonly name: string;
  readonly list: unknown[];
}

/**
 * Reads an input's texts as they were meant, checks it against its schema and fills defaults in, in place. The elements
 * of a long list are checked in several turns, between which other requests are processed: 50,000 rows take 240 ms.
 * @param holder whom the computing counts for
 * @returns the refusal `invalid_input` naming the invalid fields, or undefined if the input is valid
 */
export async function readInput(schema: JsonSchema, input: unknown, holder: Holder): Promise<SvcError | undefined> {
  const long = longListOf(schema, input);
  if (long) return readInTurns(schema, long, holder);
  readTyped(schema, input);
  return inputProblem(schema, input);
}

/** Each part is checked with all other fields, because some conditions are about several fields. */
async function readInTurns(
  schema: JsonSchema,
  { input, name, list }: LongList,
  holder: Holder,
): Promise<SvcError | undefined> {
  for (let from = 0; from < list.length; from += elementsPerTurn) {
    if (from > 0) await takeTurn(holder);
    const part: Record<string, unknown> = { ...input, [name]: list.slice(from, from + elementsPerTurn) };
    readTyped(schema, part);
    const problem = inputProblem(schema, part, { name, from });
    if (problem) return problem;
    const read = part[name];
    if (Array.isArray(read)) for (const [index, each] of read.entries()) list[from + index] = each;
    Object.assign(input, part, { [name]: list });
  }
  return undefined;
}

/**
 * The longest list of an input that can be checked in parts. One with too many elements is not: it is refused at once.
 */
function longListOf(schema: JsonSchema, input: unknown): LongList | undefined {
  if (!isRecord(input)) return undefined;
  const properties = propertiesOf(schema);
  let longest: LongList | undefined;
  for (const [name, list] of Object.entries(input)) {
    if (!Array.isArray(list) || list.length <= Math.max(elementsPerTurn, longest?.list.length ?? 0)) continue;
    const ofList = properties[name];
    if (ofList && isDivisible(ofList, list.length)) longest = { input, name, list };
  }
  return longest;
}

function isDivisible({ items, minItems = 0, maxItems = Infinity, uniqueItems = false }: JsonSchema, length: number) {
  return isSchema(items) && Number(minItems) <= 1 && length <= Number(maxItems) && uniqueItems === false;
}
