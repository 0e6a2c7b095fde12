import type { Environment } from '#core/kernel/caller/caller.js';
import { need } from '#core/kernel/provision.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import type { TestPlatform } from '#test/support/platform.js';
import { suppressions, type Channel, type SuppressionReason, type Suppressions } from '#plugins/audience/ports.js';

/** What the operation lab.act does with the suppressions port. */
export interface PortWork {
  run: (port: Suppressions, caller: Environment) => Promise<void>;
}

/** A product that uses the suppressions port for bounces, complaints and STOP messages, as email and sms do. */
export const suppressingPlugin = (acting: PortWork) =>
  definePlugin({
    name: 'lab',
    summary: 'Adds and lifts suppressions.',
    tables: [],
    events: {},
    errors: {},
    needs: [need(suppressions)],
    operations: [
      defineOperation({
        name: 'lab.act',
        summary: 'Use the suppressions port.',
        access: 'secret',
        input: object({}),
        output: object({ done: text() }),
        example: { input: {}, output: { done: 'yes' } },
        async handle(_, { use, caller }) {
          await acting.run(use(suppressions), caller.environment);
          return { done: 'yes' };
        },
      }),
    ],
  });

/** Suppresses an address for any reason; audience.suppression.add only takes `manual`. */
export async function suppress(
  { running }: TestPlatform,
  environment: Environment,
  suppression: { channel: Channel; address: string; reason: SuppressionReason },
): Promise<void> {
  await running.services.transaction('Test', async ({ use, actIn }) => {
    actIn(environment);
    await use(suppressions).add(environment, { ...suppression, note: null });
  });
}
