import { isTenant, type Caller } from '../caller/caller.js';
import type { ReadContext } from '../context.js';
import type { ErrorCode } from '../errors/errors.js';
import { addressGroup } from './address-group.js';

export interface LimitWindow {
  readonly max: number;
  readonly windowSeconds: number;
}

/** A call as a limit sees it: its input is valid, and its caller is known. */
interface LimitedCall<Input = unknown> {
  caller: Caller;
  input: Input;
}

/** A limit of one operation, in addition to the limit per key. Limits with the same name share one count. */
export interface NamedLimit<Input = unknown> extends LimitWindow {
  readonly name: string;
  /** For people and the description: “30 per hour per IP”. */
  readonly description: string;
  /** The value that the call is counted by, hashed before it is stored. If it is null, the call is not counted. */
  by(call: LimitedCall<Input>): string | null;
  /**
   * The environment's own numbers, read on every call; `max` and `windowSeconds` are the default. A change applies at
   * once: it is compared with the count of the running window.
   */
  readonly settings?: (context: ReadContext) => Promise<LimitWindow>;
  /**
   * For writes: counts only the calls that the handler accepted, in its transaction. Refused calls and repeats of an
   * Idempotency-Key do not count.
   */
  readonly acceptedOnly?: true;
  /**
   * Counts only the calls that the handler refuses with one of these codes. When the limit is reached, rate_limited
   * replaces those refusals; no other call is ever refused. For guesses at a secret that nobody can guess: many callers
   * may share what is counted, such as the IP address of an app's server, and one of them must not stop the others.
   */
  readonly refusedWith?: readonly ErrorCode[];
}

type LimitFacts = Omit<NamedLimit, 'by'>;

/** The caller's environment: two environments never share a count. */
const environmentOf = (caller: Caller): string => (isTenant(caller) ? caller.environment.id : '');

/** Per client address (an IPv6 address counts with its /64 network), within the caller's environment if it has one. */
export const perIp = (limit: LimitFacts): NamedLimit => ({
  ...limit,
  by: ({ caller }) => `ip:${environmentOf(caller)}:${addressGroup(caller.request.ip)}`,
});

/** Per environment. */
export const perEnvironment = (limit: LimitFacts): NamedLimit => ({
  ...limit,
  by: ({ caller }) => `environment:${environmentOf(caller)}`,
});

/**
 * Per account, across all of its environments; with `read`, per account and value of the input.
 * @param read returns the normalized value
 */
export const perAccount = <Input>(limit: LimitFacts, read: (input: Input) => string = () => ''): NamedLimit<Input> => ({
  ...limit,
  by: ({ caller, input }) => (isTenant(caller) ? `account:${caller.environment.accountId}:${read(input)}` : null),
});

/** Per signed-in user. */
export const perUser = (limit: LimitFacts): NamedLimit => ({
  ...limit,
  by: ({ caller }) => (isTenant(caller) && caller.user ? `user:${environmentOf(caller)}:${caller.user.userId}` : null),
});

/**
 * Per value of the input, within the caller's environment: an address, an organization.
 * @param read returns the normalized value; null if the input has none, so that the call is not counted
 */
export const perInput = <Input>(
  limit: LimitFacts,
  read: (input: Input) => string | null | undefined,
): NamedLimit<Input> => ({
  ...limit,
  by({ caller, input }) {
    const value = read(input);
    return value === null || value === undefined ? null : `input:${environmentOf(caller)}:${value}`;
  },
});
