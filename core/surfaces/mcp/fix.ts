import type { SvcError } from '#core/kernel/errors/errors.js';
import type { Operation } from '#core/kernel/operation.js';
import type { Mode } from './instructions.js';
import { toolName } from '../names.js';

/**
 * A refusal's next step for a caller of tools: operations that the caller may call are named as tools, and terms of
 * HTTP are replaced by those of the tools.
 * @param called the operation that was refused, if there was one
 */
export function fixForTools(
  { fix }: SvcError,
  { operations, mode }: { operations: readonly Operation[]; mode: Mode },
  called?: string,
): string {
  const describe = called === undefined ? 'describe_operation' : `describe_operation with operation ${called}`;
  const input =
    mode === 'full' ? `the input schema of ${called === undefined ? 'the tool' : toolName(called)}` : describe;
  const said = fix
    .replaceAll('Idempotency-Key', 'idempotencyKey')
    // A whole sentence, or the end of one.
    .replace(/(?<=\.) *The operation’s input is described at \/openapi\.json/, ` See ${input}`)
    .replace(
      /;? *(the operation’s input is described at|see) \/openapi\.json[^.;]*/i,
      `; ${input} shows what it takes`,
    );
  const named = operations.map(({ name }) => name).filter((name) => mentions(said, name));
  if (named.length === 0) return said;
  if (mode === 'compact') return `${said} Call ${named.join(' and ')} with call_operation.`;
  return named.reduce((text, name) => text.replace(mention(name), toolName(name)), said);
}

/** A whole name: not `email.send` in `email.sender.get`. */
const mention = (name: string): RegExp => new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?!\\w|\\.\\w)`, 'g');
const mentions = (text: string, name: string): boolean => mention(name).test(text);
