/** A percentage of the settings in ten-thousandths of a percent: `8.25` is 82500. */
export function taxPercentOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, '0'));
}
