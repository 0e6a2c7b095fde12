/**
 * Checks an option that is a number. Programs without types pass text or NaN, for example from an environment variable,
 * and each comparison with those is false: a limit would not limit.
 * @param name the option, for the error
 * @returns the value
 * @throws TypeError if it is not a finite number of at least 0
 */
export function numberOption(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  const found = typeof value === 'number' ? String(value) : `of type ${value === null ? 'null' : typeof value}`;
  throw new TypeError(`${name} must be a finite number of at least 0, but it is ${found}.`);
}
