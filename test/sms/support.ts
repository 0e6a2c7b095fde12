import { newId } from '#core/runtime/id.js';
import { exampleRegistration } from '#plugins/sms/registration-data/resources.js';
import type { RegistrationStage } from '#plugins/sms/registration-data/stages.js';
import { registrations } from '#plugins/sms/registration-data/table.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { suppressions, type SuppressionReason } from '#plugins/audience/ports.js';
import type { Api, InputOf, ReplyOf } from '#test/support/api.js';
import type { TestPlatform } from '#test/support/platform.js';
import type { TestTwilio, TwilioText } from '#test/support/twilio.js';
import { useTwilio, type TwilioTest } from './twilio-platform.js';

export const ownNumber = '+12125550100';
export const ada = '+4915123456789';

export interface TextTest extends TwilioTest {
  /** The texts of a message that have reached the provider so far, repeats included. */
  arrivalsOf(messageId: string): readonly TwilioText[];
}

/**
 * A running svc whose environments may send at once: from the deployment's number, without a registration. Call it
 * inside `describe`.
 */
export function useTexts(settings: () => Promise<Readonly<Record<string, string>>> = async () => ({})): TextTest {
  const given = useTwilio(async () => ({
    SVC_SMS_REGISTRATION: 'not_required',
    SVC_SMS_FROM: ownNumber,
    ...(await settings()),
  }));
  return {
    platform: given.platform,
    get twilio(): TestTwilio {
      return given.twilio;
    },
    arrivalsOf: (messageId) => given.twilio.texts.filter(({ statusCallback }) => statusCallback.endsWith(messageId)),
  };
}

/** A complete text; `given` overrides its fields. */
export const text = (given: Partial<InputOf<'sms.send'>> = {}): InputOf<'sms.send'> => ({
  to: ada,
  body: 'Hello',
  ...given,
});

export const send = (svc: Api, given: Partial<InputOf<'sms.send'>> = {}): Promise<ReplyOf<'sms.send'>> =>
  svc.call('sms.send', text(given));

export const shown = async (svc: Api, messageId: string): Promise<ReplyOf<'sms.message.get'>['message']> =>
  (await svc.call('sms.message.get', { messageId })).message;

/** Suppresses a number, as STOP or a person does it. */
export const suppress = (
  platform: TestPlatform,
  environment: Environment,
  address: string,
  reason: SuppressionReason,
): Promise<void> =>
  platform.running.services.transaction('Test', ({ use }) =>
    use(suppressions).add(environment, { channel: 'sms', address, reason, note: null }),
  );

/** A carrier registration in a stage, as sms.registration.submit and the carriers make it. */
export async function register(
  { running, clock }: TestPlatform,
  { id: environmentId }: Environment,
  stage: RegistrationStage,
): Promise<void> {
  const { database } = running.services;
  const known = await database.findOne(registrations, { environmentId });
  if (known) {
    await database.update(registrations, { environmentId }, { stage });
    return;
  }
  const at = clock.now();
  const { filed } = exampleRegistration;
  const others = { problems: [], sealedTaxId: null, providerRefs: {}, activityId: null };
  const row = { id: newId(), environmentId, stage, filed, ...others, submittedAt: at, updatedAt: at };
  await database.run(registrations.insertRows([row]));
}
