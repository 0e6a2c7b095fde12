import { refusalOf } from '#core/kernel/errors/common.js';
import type { Channel } from '../../ports.js';
import type { ConsentClaim } from './append.js';
import type { Addressed } from './standing.js';

/** A grant as inputs say it. */
export interface GrantInput {
  topic: string;
  channel: Channel;
  source: string;
  wording?: string | undefined;
  givenAt?: string | undefined;
  ip?: string | undefined;
}

/** Clocks differ, and a grant of this very moment must not fail for it. */
const toleranceMs = 5 * 60_000;

/**
 * When a grant was given: now, where nothing is said.
 * @param field where the moment stands in the request
 * @throws invalid_input for a moment that is yet to come: an opt-out of tomorrow would lose to it
 */
export function givenAtOf(givenAt: string | undefined, field: string, now: Date): Date {
  if (givenAt === undefined) return now;
  const at = new Date(givenAt);
  if (at.getTime() > now.getTime() + toleranceMs)
    throw refusalOf.invalid_input({ field, problem: 'must not lie in the future', details: { field } });
  return at > now ? now : at;
}

/**
 * The claim that a grant makes for a contact.
 * @param field where its moment stands in the request
 * @throws invalid_input
 */
export const grantOf = (
  contact: Addressed,
  grant: GrantInput,
  field: string,
  now: Date,
): ConsentClaim & { state: 'granted' } => ({
  contact,
  topic: grant.topic,
  channel: grant.channel,
  state: 'granted',
  source: grant.source,
  wording: grant.wording,
  ip: grant.ip,
  givenAt: givenAtOf(grant.givenAt, field, now),
});
