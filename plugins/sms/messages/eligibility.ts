import type { Environment } from '#core/kernel/caller/caller.js';
import type { Reading } from '#core/kernel/context.js';
import type { Purpose, RecipientEligibility } from '#core/messaging/driver.js';
import { recipients, type BlockReason } from '#plugins/audience/ports.js';
import { fixtureOf } from './fixtures.js';
import { sendingState, type SendingState, type StateProblem } from './sending-state.js';

/** Why a text is not sent to a recipient, as it is stored. */
export type BlockedReason = StateProblem | 'test_environment' | BlockReason;

export interface NumberEligibility extends RecipientEligibility {
  readonly blockReason: BlockedReason | null;
}

/** Who may get texts, and which number they are sent from. */
interface CheckedNumbers {
  readonly eligibility: readonly NumberEligibility[];
  readonly from: string | null;
}

/**
 * Checks which numbers may get a text from this environment now. The audience product decides on consent and
 * suppressions. A test environment sends nothing: its test numbers play an outcome, and system texts are kept for
 * /dev/phone.
 * @returns one result per number, in their order
 */
export async function checkNumbers(
  context: Reading,
  environment: Environment,
  { topic, isSystem, isAnswer = false }: Purpose,
  numbers: readonly string[],
): Promise<CheckedNumbers> {
  const audience = context.use(recipients);
  const [state, results] = await Promise.all([
    sendingState(context, environment),
    audience.eligibilityOf(environment.id, { channel: 'sms', topic, system: isSystem }, numbers),
  ]);
  const eligibility = results.map(({ address, contactId, blockReason, blockedBy, suppressionReason }) => {
    const own = ownReason(environment, state, { isSystem, isAnswer, number: address });
    // The answer to STOP itself, and to HELP, is also sent to a number that said STOP.
    const isAnswered = isAnswer && suppressionReason === 'stop';
    return {
      address,
      contactId,
      blockReason: own ?? (isAnswered ? null : blockReason),
      blockedBy: own !== null || isAnswered ? null : blockedBy,
      // Texts contain no link to the preferences page.
      preferencesUrl: null,
    };
  });
  return { eligibility, from: state.from };
}

/** Why this product does not send to a number, no matter who has it. */
function ownReason(
  environment: Environment,
  state: SendingState,
  { isSystem, isAnswer, number }: { isSystem: boolean; isAnswer: boolean; number: string },
): BlockedReason | null {
  // An answer is sent from the number that received the text.
  if (environment.kind === 'live') return isAnswer && state.problem === 'no_number' ? null : state.problem;
  return isSystem || fixtureOf(environment, number) !== null ? null : 'test_environment';
}
