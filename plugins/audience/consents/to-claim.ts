import type { Channel } from '../ports.js';
import { pastMoment } from '../contacts/past-date.js';
import type { ConsentClaim } from './plan.js';
import type { Addressed } from './state.js';

/** A grant as inputs say it. */
export interface GrantInput {
  topic: string;
  channel: Channel;
  source: string;
  wording?: string | undefined;
  givenAt?: string | undefined;
  ip?: string | undefined;
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
  givenAt: pastMoment(grant.givenAt, field, now),
  undated: grant.givenAt === undefined,
});
