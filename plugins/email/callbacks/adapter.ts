import type { CallbackRequest } from '#core/kernel/callback.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { Services } from '#core/kernel/services.js';
import type { Report } from '../tables/report.js';

/** A provider's report about one recipient, with everything that may lead to the message. */
export interface ProviderEvent {
  /** The recipient. */
  readonly address: string;
  /** The envelope's sender, if the provider states it. */
  readonly returnPath: string | null;
  /** Values that may contain our message id: the Message-ID header, or a value that we asked the provider to repeat. */
  readonly messageIds: readonly string[];
  /** The provider's own id of the message. */
  readonly providerId: string | null;
  readonly report: Report;
}

/** The data of a callback: its body, and the same parsed as JSON (undefined if it is not JSON). */
interface ProviderCall extends CallbackRequest {
  readonly json: unknown;
}

/** Reads the callbacks of one provider. */
export interface ProviderAdapter {
  /** The provider's own spelling of its name. */
  readonly name: string;
  /** Whether a callback is from this provider, judged only by its form. */
  recognizes(call: ProviderCall): boolean;
  /**
   * Authenticates a callback and reads its events; anything that is not a report about a recipient is left out.
   * @throws callback_rejected if the provider is not configured or the signature or secret is wrong
   */
  read(call: ProviderCall, services: Services): readonly ProviderEvent[] | Promise<readonly ProviderEvent[]>;
}

/** The refusal of a provider's callback while the setting that authenticates it is missing. */
export const notConfigured = (variable: string): SvcError =>
  refusalOf.callback_rejected({
    problem: `${variable} is not set, so callers cannot be authenticated`,
    nextStep: `Set ${variable} and restart the server. docs/delivery.md explains where to find its value.`,
  });

/** @param what is wrong, and the setting to compare with the provider's console */
export const badSignature = (problem: string, variable: string): SvcError =>
  refusalOf.callback_rejected({
    problem,
    nextStep: `Compare ${variable} with the value in the provider’s console; docs/delivery.md explains where to find it.`,
  });

export const invalidBody = (problem: string): SvcError => refusalOf.invalid_json({ problem });
