import type { FilingFee } from '../filing/fees.js';
import type { CallbackAnswer, CallbackRequest } from '#core/kernel/callback.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Capability } from '../tables/number.js';
import type { FiledValue } from '../filing/resources.js';
import type { RegistrationProblem, RegistrationStage } from '../filing/stages.js';

/*
 * What a provider of texts does for svc. One folder per provider: `twilio`, `telnyx`, `log`. Every call goes out once; callers retry.
 */

/** A text to hand over. */
export interface OutgoingText {
  /** svc's id of the message: what the provider is given to recognise a repeat, where it can. */
  readonly messageId: string;
  /** E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Where the provider reports what became of it: `statusUrlOf` (callback-values.ts). */
  readonly statusUrl: string;
}

/** What the provider answered to a text. */
export interface TextAnswer {
  /**
   * temporary: refused, and worth another attempt (a rate limit); permanent: refused, and another attempt would end the same way; unclear:
   * it may have been taken all the same (a time-out, a connection that was cut, the provider's own error).
   */
  readonly outcome: 'sent' | 'temporary' | 'permanent' | 'unclear';
  /** The provider's id of the text, by which its reports name it; null when it gave none. */
  readonly providerId: string | null;
  /** The provider's error code; null without one. */
  readonly code: number | null;
  /** The provider's words. */
  readonly response: string;
}

/** A report about a text that the provider took. */
export interface StatusReport {
  readonly providerId: string;
  /** svc's id of the message, from the address that was called (`OutgoingText.statusUrl`); null where it names none. */
  readonly messageId: string | null;
  readonly status: 'sent' | 'delivered' | 'failed';
  /** The carrier's code and words where it failed. */
  readonly code: string | null;
  readonly detail: string | null;
}

/** A text that somebody sent to one of our numbers. */
export interface ReceivedText {
  readonly providerId: string;
  /** E.164, or a short code. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
}

/** What a number must be like. */
export interface WantedNumber {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly areaCode?: string;
  /** A specific one, E.164. */
  readonly number?: string;
  readonly capabilities: readonly Capability[];
}

/** A number that is available, or is ours. `providerId` is the provider's id of a number that is ours. */
export interface ProviderNumber {
  readonly number: string;
  readonly capabilities: readonly Capability[];
  readonly providerId: string | null;
}

/** What the provider gave out for a filing: its ids by what they are of, and `done.<step>` for each step that was taken. */
export type FilingRefs = Readonly<Record<string, string>>;

/** What is filed, as sms.registration.submit takes it. */
export interface Filing {
  /** svc's id of the registration. */
  readonly registrationId: string;
  readonly filed: FiledValue;
  readonly taxId: string | null;
  /** What the provider calls when something has changed: `filingUrlOf` (callback-values.ts). */
  readonly callbackUrl: string;
  readonly refs: FilingRefs;
  /** The provider's ids of the environment's numbers, which texts of the registration leave from. */
  readonly numbers: readonly string[];
}

/** Where a filing stands after a step. */
export interface FilingStatus {
  readonly stage: RegistrationStage;
  readonly problems: readonly RegistrationProblem[];
  readonly refs: FilingRefs;
  /** now: there is a further step to take at once; later: the carriers decide; never: it has ended, until it is filed again. */
  readonly next: 'now' | 'later' | 'never';
  /** What this step was charged for. */
  readonly fee?: FilingFee;
}

/** A call to the provider failed: `provider_failed` names the provider and these words. */
export interface ProviderProblem {
  readonly problem: string;
  /** The same call could succeed later. */
  readonly isTemporary: boolean;
}

export type ProviderResult<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & ProviderProblem);

/** What a provider works with. */
export type ProviderServices = Pick<WorkerServices, 'http' | 'deployment' | 'clock'>;

export interface SmsProvider {
  /** As replies and stored rows name it: `twilio`, `telnyx`, `log`. */
  readonly name: string;
  /** As people write it: Twilio. */
  readonly label: string;
  /** It reaches phones: SVC_SMS_ALLOWED_COUNTRIES, registrations and numbers matter. */
  readonly isReal: boolean;
  /** Hands a text over. Failures are answers; it throws only for errors of our own. */
  send(text: OutgoingText): Promise<TextAnswer>;

  /**
   * The provider's ids of texts that it has taken and that may be this one, which was handed over without a clear answer: the text itself
   * where the provider keeps svc's id of it, else those of the same words between the same numbers.
   * @param since when it was handed over first, or before
   */
  findTexts(text: Omit<OutgoingText, 'statusUrl'>, since: Date): Promise<ProviderResult<readonly string[]>>;
  /** How long after a hand-over `findTexts` may still miss its text. */
  readonly findsWithinMs: number;

  /** Reads a status callback. @throws callback_rejected unless the provider signed it; returns null for what is no status */
  parseStatus(request: CallbackRequest): StatusReport | null;
  /** Reads a received text. @throws callback_rejected unless the provider signed it; returns null for what is no text */
  parseInbound(request: CallbackRequest): ReceivedText | null;
  /** What a callback is answered with, so that the provider counts it as taken. */
  readonly taken: CallbackAnswer;

  /** Available numbers, best first. */
  searchNumbers(wanted: WantedNumber): Promise<ProviderResult<readonly ProviderNumber[]>>;
  /** Takes exactly this number; null where it is no longer available. A repeat may buy it twice: ask `findNumber` first. */
  buyNumber(number: string): Promise<ProviderResult<ProviderNumber | null>>;
  /** A number that is ours already; null where it is not. */
  findNumber(number: string): Promise<ProviderResult<ProviderNumber | null>>;
  releaseNumber(providerId: string): Promise<ProviderResult<null>>;

  /**
   * Takes the next step of a filing, or asks how it stands. One call makes at most one thing that costs money, and finds what an earlier
   * call made whose `refs` were lost. Where the carriers refuse something, the answer is `action_needed` with its problems.
   */
  advanceFiling(filing: Filing): Promise<ProviderResult<FilingStatus>>;
  /** Lets texts of a registration leave from a number of ours, which was taken after it was filed. */
  joinFiling(refs: FilingRefs, numberId: string): Promise<ProviderResult<null>>;
}
