/** The latest time that fits into a DATETIME, the 48 bits of a UUIDv7 and ISO 8601 with a four-digit year. */
export const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since 1970, limited to 1970 to 9999. */
export const clampMs = (ms: number): number => Math.min(Math.max(0, ms), latestMs);

/**
 * A time that a list is filtered by, limited to 1970 to 9999: databases turn a time outside the range of a DATETIME
 * into a comparison that no row passes, or into an error. An offset can lead there too: 9999-12-31T23:59:59-12:00.
 */
export const filterTime = (given: string | undefined): Date | undefined =>
  given === undefined ? undefined : new Date(clampMs(Date.parse(given)));
