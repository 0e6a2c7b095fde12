import type { RegistrationFee } from '../registration-data/fees.js';
import type { CallbackAnswer, CallbackRequest } from '#core/kernel/callback.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Capability } from '../tables/number.js';
import type { FiledValue } from '../registration-data/resources.js';
import type { RegistrationProblem, RegistrationStage } from '../registration-data/stages.js';

/*
 * What a provider of texts does for svc. One folder per provider: `twilio`, `telnyx`, `log`. Every call is sent once;
 * callers retry.
 */

/** A text to submit. */
export interface OutgoingText {
  /** svc's id of the message. The provider gets it to recognise a repeat, if it can. */
  readonly messageId: string;
  /** E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** The address to which the provider reports the outcome: `statusUrlOf` (callback-values.ts). */
  readonly statusUrl: string;
  /** It must not be submitted later, by performance.now(). */
  readonly submitBy?: number;
}

/** The provider's answer to a text. */
export interface TextAnswer {
  /**
   * temporary: refused, and worth another attempt (a rate limit); permanent: refused, and another attempt would end the
   * same way; unclear: it may have been accepted anyway (a time-out, a connection that was cut, the provider's own
   * error).
   */
  readonly outcome: 'sent' | 'temporary' | 'permanent' | 'unclear';
  /** The provider's id of the text, which its reports contain; null if it gave none. */
  readonly providerId: string | null;
  /** The provider's error code; null if there is none. */
  readonly code: number | null;
  /** The provider's words. */
  readonly response: string;
}

/** A report about a text that the provider accepted. */
export interface StatusReport {
  readonly providerId: string;
  /** svc's id of the message, from the address that was called (`OutgoingText.statusUrl`); null if it names none. */
  readonly messageId: string | null;
  readonly status: 'sent' | 'delivered' | 'failed';
  /** The carrier's code and words if it failed. */
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

/** Requirements for a number. */
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

/**
 * The provider's ids of what a submission created, by the kind of object, and `done.<task>` for each completed task.
 */
export type ProviderRefs = Readonly<Record<string, string>>;

/** What is submitted to the carriers, from the input of sms.registration.submit. */
export interface Submission {
  /** svc's id of the registration. */
  readonly registrationId: string;
  readonly filed: FiledValue;
  readonly taxId: string | null;
  /** The address that the provider calls when something has changed: `registrationUrlOf` (callback-values.ts). */
  readonly callbackUrl: string;
  readonly refs: ProviderRefs;
  /** The provider's ids of the environment's numbers. Texts of the registration are sent from them. */
  readonly numbers: readonly string[];
}

/** The status of a registration after a task was run. */
export interface RegistrationStatus {
  readonly stage: RegistrationStage;
  readonly problems: readonly RegistrationProblem[];
  readonly refs: ProviderRefs;
  /**
   * now: another task can run immediately; later: the carriers decide; never: it has ended, until it is resubmitted.
   */
  readonly next: 'now' | 'later' | 'never';
  /** What this task was charged for. */
  readonly fee?: RegistrationFee;
}

/** A call to the provider failed: `provider_failed` names the provider and these words. */
export interface ProviderProblem {
  readonly problem: string;
  /** The same call could succeed later. */
  readonly isTemporary: boolean;
}

export type ProviderResult<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & ProviderProblem);

/** The parts of svc that a provider works with. */
export type ProviderServices = Pick<WorkerServices, 'http' | 'deployment' | 'clock'>;

export interface SmsProvider {
  /** Its name in replies and stored rows: `twilio`, `telnyx`, `log`. */
  readonly name: string;
  /** Its usual spelling: Twilio. */
  readonly label: string;
  /** It reaches phones: SVC_SMS_ALLOWED_COUNTRIES, registrations and numbers matter. */
  readonly isReal: boolean;
  /** Submits a text. Failures are returned; it throws only for svc's own errors. */
  send(text: OutgoingText): Promise<TextAnswer>;

  /**
   * The provider's ids of texts that it has accepted and that may be this one, which was submitted without a clear
   * answer: the text itself if the provider keeps svc's id of it, else texts with the same words between the same
   * numbers.
   * @param text its `body` is null if svc no longer has the words
   * @param since when it was submitted first, or earlier
   */
  findTexts(
    text: Omit<OutgoingText, 'statusUrl' | 'submitBy' | 'body'> & { readonly body: string | null },
    since: Date,
  ): Promise<ProviderResult<readonly string[]>>;
  /** How long after submission `findTexts` may not find its text yet. */
  readonly findsWithinMs: number;

  /**
   * Reads a status callback.
   * @returns null if it is not a status
   * @throws callback_rejected unless the provider signed it
   */
  parseStatus(request: CallbackRequest): StatusReport | null;
  /**
   * Reads a received text.
   * @returns null if it is not a text
   * @throws callback_rejected unless the provider signed it
   */
  parseInbound(request: CallbackRequest): ReceivedText | null;
  /** The answer to a callback, so that the provider considers it delivered. */
  readonly taken: CallbackAnswer;

  /** Available numbers, best first. */
  searchNumbers(wanted: WantedNumber): Promise<ProviderResult<readonly ProviderNumber[]>>;
  /**
   * Takes exactly this number; null if it is no longer available. A repeat may buy it twice: call `findNumber` first.
   */
  buyNumber(number: string): Promise<ProviderResult<ProviderNumber | null>>;
  /** A number that is already ours; null if it is not. */
  findNumber(number: string): Promise<ProviderResult<ProviderNumber | null>>;
  releaseNumber(providerId: string): Promise<ProviderResult<null>>;

  /** Absent if senders at this provider need no registration with the carriers: one that is submitted is active. */
  readonly registration?: CarrierRegistration;
}

/** Registers senders with the carriers (A2P 10DLC). */
export interface CarrierRegistration {
  /**
   * Runs the next task of a submission, or requests its status. One call creates at most one object that costs money,
   * and finds objects that an earlier call created and whose `refs` were lost. If the carriers refuse something, the
   * answer is `action_needed` with its problems.
   */
  advance(submission: Submission): Promise<ProviderResult<RegistrationStatus>>;
  /** Adds one of our numbers, which was bought after a registration was submitted, so that it can send its texts. */
  addNumber(refs: ProviderRefs, numberId: string): Promise<ProviderResult<null>>;
}
