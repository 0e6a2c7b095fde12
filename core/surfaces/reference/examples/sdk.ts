import type { Operation } from '#core/kernel/operation.js';
import { typescriptText } from './literal.js';

/** An operation's example as a call of the SDK: `await svc.email.send({ … })`. */
export function sdkExample({ name, example }: Operation): string {
  const input = typescriptText(example.input);
  return `await svc.${name}(${input === '{}' ? '' : input});`;
}
