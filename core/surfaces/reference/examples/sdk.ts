import { typescriptText } from './literal.js';
import type { ShownCall } from './curl.js';

/** A call as a call of the SDK: `await svc.email.send({ … })`. */
export function sdkExample({ name, example }: ShownCall): string {
  const input = typescriptText(example.input);
  return `await svc.${name}(${input === '{}' ? '' : input});`;
}
