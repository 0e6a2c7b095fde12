import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';

/** Texts with sign-in codes, of a product that sends texts. */
export interface SignInTexts {
  /** Whether a text could really be sent to somebody: a provider, a number and, where it is required, a registration are there. */
  available(environment: Environment): Promise<boolean>;
}

export const signInTexts = definePort<SignInTexts>('auth.signInTexts');
