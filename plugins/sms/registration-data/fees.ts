/** A part of a registration that providers charge for. */
export type RegistrationFee = 'brand' | 'campaign';

const pattern = /^(brand|campaign):(\d{1,7}(?:\.\d{1,6})?)$/;

/** @throws Error whose message completes “SVC_SMS_REGISTRATION_FEES …” */
export function checkFee(text: string): void {
  const amount = pattern.exec(text)?.[2];
  if (amount === undefined || Number(amount) === 0)
    throw new Error(`must list fees such as brand:4.50,campaign:15, not "${text}"`);
}

/** The fees by purpose, as decimal numbers. */
export const readFees = (listed: readonly string[]): Partial<Record<RegistrationFee, string>> =>
  Object.fromEntries(
    listed.flatMap((each) => {
      const [, part, amount] = pattern.exec(each) ?? [];
      return part === undefined || amount === undefined ? [] : [[part, amount]];
    }),
  );
