import { changesBetween } from '#core/kernel/audit/changes.js';
import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { validateCountry } from '#core/kernel/schema/country.js';
import { countryPattern } from '#core/kernel/schema/patterns.js';
import {
  email,
  filledText,
  ifUnchangedSince,
  nullable,
  object,
  optional,
  text,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { hasControls } from '#core/messaging/input.js';
import { idBytes } from '#core/runtime/id.js';
import { detailsTime, lockBillingAccount, noDetails, presentDetails } from '../../accounts/account.js';
import { exampleSavedDetails } from '../../examples.js';
import { SavedBillingDetails } from '../../resources.js';
import type { BillingDetails as Details } from '../../tables/account.js';

const line = (description: string): ReturnType<typeof optional<string | null, string | null>> =>
  optional(nullable(text(description, { maxLength: 120 })));

const addressInput = object(
  {
    line1: line('Street and house number.'),
    line2: line('An additional address line, such as c/o.'),
    city: line('The city.'),
    region: line('The state, province or county.'),
    postalCode: line('The postal code.'),
    country: optional(nullable(text('ISO 3166-1 alpha-2, such as DE.', { pattern: countryPattern }))),
  },
  { description: 'The postal address. It replaces the previous address as a whole.', minProperties: 1 },
);

export default defineOperation({
  name: 'billing.details.set',
  summary:
    'Sets the name, address, tax id and email address that appear on invoices. Omitted fields keep their values.',
  description:
    'An invoice keeps the details that it was issued with; a change applies to later invoices. The details of the operator’s own account appear on every invoice as the seller’s.',
  keywords: 'company vat invoice address recipient seller',
  access: 'secret',
  impact: { retrySafe: true },
  accountWide: true,
  input: object(
    {
      name: optional(filledText('The name of the company or person.', 120)),
      address: optional(addressInput),
      taxId: optional(nullable(filledText('The tax id, printed as given.', 60))),
      email: optional(email('The address that receipts and reminders are sent to.')),
      ifUnchangedSince,
    },
    { minProperties: 1 },
  ),
  output: object({ details: SavedBillingDetails }),
  events: ['billing.payment.updated'],
  example: {
    input: { name: 'Acme GmbH', taxId: 'DE123456789', email: 'invoices@example.com' },
    output: { details: exampleSavedDetails },
  },

  async handle(input, context) {
    const { db, caller, clock, emit, audit } = context;
    const { accountId } = caller.environment;
    const now = clock.now();
    const account = await lockBillingAccount(db, accountId, now);
    const changedAt = detailsTime(account);
    const subject = { type: 'account', id: accountId };
    await requireUnchanged(context, input.ifUnchangedSince, changedAt, { ...subject, operations: 'billing.details.' });
    const before = presentDetails(account.details ?? noDetails);
    const after: Details = {
      name: input.name === undefined ? before.name : plain('name', input.name),
      address: input.address === undefined ? before.address : addressOf(input.address),
      taxId: input.taxId === undefined ? before.taxId : plain('taxId', input.taxId),
      email: input.email ?? before.email,
    };
    const changes = changesBetween(before, after, ['name', 'address', 'taxId', 'email']);
    audit({
      subject,
      summary: 'Set the billing details.',
      changes,
      unchanged: 'the billing details already had these values.',
    });
    const saved = (updatedAt: Date): ValueOf<typeof SavedBillingDetails> => ({
      ...after,
      updatedAt: updatedAt.toISOString(),
    });
    if (changes.length === 0) return { details: saved(changedAt.updatedAt) };
    const updatedAt = updateTime(changedAt, now);
    await db.run(
      'UPDATE billing_account SET details = ?, details_updated_at = ?, updated_at = ? WHERE account_id = ?',
      [JSON.stringify(after), updatedAt, now, idBytes(accountId)],
    );
    const { standing, paymentMethod } = account;
    emit('billing.payment.updated', {
      subjectId: accountId,
      data: { standing, paymentMethod, details: after, invoice: null },
    });
    return { details: saved(updatedAt) };
  },
});

/** A text for one line of an invoice; null if it is blank. @throws invalid_input */
function plain(field: string, value: string | null | undefined): string | null {
  const trimmed = value?.trim() ?? '';
  if (hasControls(trimmed)) throw invalidField(field, 'must not contain line breaks or other control characters');
  return trimmed === '' ? null : trimmed;
}

/** @returns the address; null if all of its fields are blank */
function addressOf(given: ValueOf<typeof addressInput>): Details['address'] {
  const address = {
    line1: plain('address.line1', given.line1),
    line2: plain('address.line2', given.line2),
    city: plain('address.city', given.city),
    region: plain('address.region', given.region),
    postalCode: plain('address.postalCode', given.postalCode),
    country: validateCountry(given.country ?? null, 'address.country'),
  };
  return Object.values(address).some((value) => value !== null) ? address : null;
}
