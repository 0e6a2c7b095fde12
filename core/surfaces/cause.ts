/** The underlying message of an error: fetch wraps it as the cause of “fetch failed”. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return error.cause === undefined ? error.message || error.name : causeOf(error.cause);
}
