import { countryOf } from '#core/kernel/schema/phone.js';
import type { Usage } from '#plugins/billing/ports.js';

/** The usage of a text. @param sourceId the id of the message, or of its broadcast */
export const usageOf = (sourceId: string, to: string | undefined, segments: number): Usage => ({
  meter: 'sms.segment',
  quantity: segments,
  country: to === undefined ? null : countryOf(to),
  sourceId,
});
