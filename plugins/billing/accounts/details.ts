import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { BillingDetails as DetailsSchema } from '../resources.js';
import type { BillingDetails } from '../tables/account.js';

export const noDetails: BillingDetails = { name: null, address: null, taxId: null, email: null };

/** Billing details as replies carry them. The database orders the keys of JSON by their length. */
export const presentDetails = ({ name, address, taxId, email }: BillingDetails): ValueOf<typeof DetailsSchema> => ({
  name,
  address: address && {
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    region: address.region,
    postalCode: address.postalCode,
    country: address.country,
  },
  taxId,
  email,
});
