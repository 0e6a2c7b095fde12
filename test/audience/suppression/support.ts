import type { Environment } from '#core/kernel/caller/caller.js';
import { need } from '#core/kernel/provision.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import type { TestPlatform } from '#test/support/platform.js';
import { suppressions, type Channel, type SuppressionReason, type Suppressions } from '#plugins/audience/ports.js';

/** What a product does with the port that audience provides, in an operation of its own. */
export interface Acting {
  work: (port: Suppressions, caller: Environment) => Promise<void>;
}

/** A product that tells audience about bounces, complaints and texts, as email and sms do. */
export const messenger = (acting: Acting) =>
  definePlugin({
    name: 'lab',
    summary: 'Tells who may not be reached.',
    tables: [],
    events: {},
    errors: {},
    needs: [need(suppressions)],
    operations: [
      defineOperation({
        name: 'lab.act',
        summary: 'Act on a report.',
        access: 'secret',
        input: object({}),
        output: object({ done: text() }),
        example: { input: {}, output: { done: 'yes' } },
        async handle(_, { use, caller }) {
          await acting.work(use(suppressions), caller.environment);
          return { done: 'yes' };
        },
      }),
    ],
  });

/** Suppresses an address for a reason that no operation takes. */
export async function suppressed(
  { running }: TestPlatform,
  environment: Environment,
  suppression: { channel: Channel; address: string; reason: SuppressionReason },
): Promise<void> {
  await running.services.transaction('Test', async ({ use, actIn }) => {
    actIn(environment);
    await use(suppressions).add(environment, { ...suppression, note: null });
  });
}
