import type { Operation } from '#core/kernel/operation.js';
import { toolName } from '../names.js';

/** All operations as tools, or three tools that search, describe and call them. */
export const modes = ['full', 'compact'] as const;
export type Mode = (typeof modes)[number];

interface InstructionFacts {
  readonly operations: readonly Operation[];
  readonly mode: Mode;
  /** The environment of the key. */
  readonly environment: 'live' | 'test';
  /** The enabled products, each with a sentence. */
  readonly products: ReadonlyMap<string, string>;
}

const environmentTexts = {
  live: 'Your key belongs to the LIVE environment: messages reach real people, and what is billable is billed. Ask before you send to people, or delete or revoke anything.',
  test: 'Your key belongs to the TEST environment: messages reach only members of the account itself; messages to anyone else get the same answer, but are stored as suppressed. Only a key of the live environment (svc_live_…) reaches real people.',
} as const;

/** How an operation is named in this mode: as a tool, or as the argument of call_operation. */
const nameIn = (mode: Mode, operation: string): string => (mode === 'full' ? toolName(operation) : operation);

/** Where to see the outcome of each call whose work continues after its answer, and the final statuses. */
function followUps({ operations, mode }: InstructionFacts): string[] {
  return operations.flatMap(({ name, followUp }) => {
    const next = operations.find((each) => each.name === followUp?.operation);
    if (!followUp || !next) return [];
    const input = Object.entries(followUp.input).map(([field, path]) => `${field} = ${path} of the reply`);
    const call = [nameIn(mode, next.name), ...(input.length > 0 ? [`with ${input.join(', ')}`] : [])].join(' ');
    const { progress } = next;
    const end = progress
      ? ` Its ${progress.status} ends as ${progress.succeeded.join(' or ')}, or without success as ${progress.failed.join(', ')}.`
      : '';
    return [`- After ${nameIn(mode, name)}, call ${call}.${end}`];
  });
}

/** The information that an agent needs before its first call, for the answer to `initialize`. */
export function instructionsFor(facts: InstructionFacts): string {
  const { mode, environment, products } = facts;
  const found = followUps(facts);
  return [
    `svc is a self-hosted platform. ${[...products].map(([name, summary]) => `${name}: ${summary}`).join(' ')}`,
    environmentTexts[environment],
    mode === 'full'
      ? 'Each operation is a tool: `account.get` is account_get.'
      : 'Find an operation with search_operations, read its input with describe_operation, then call it with call_operation.',
    'Accepted is not delivered: a successful answer means that the call was stored. Read `status` and `blocked` in the reply before you report success.',
    ...(found.length > 0 ? [`To find out what became of a call:\n${found.join('\n')}`] : []),
    'A refusal has `code`, `message` and `fix`: do what `fix` says. When you retry a write, pass the same idempotencyKey. For the next page of a list, pass the previous reply’s `nextBefore` as `before`.',
  ].join('\n\n');
}
