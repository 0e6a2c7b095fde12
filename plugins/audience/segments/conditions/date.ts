import type { PropertyValue } from '../../contacts/value-key.js';

/** The range of DATETIME (MySQL 8.4 manual, 13.2.1): comparing with times outside it is an error. */
const [first, last] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31)];

/** A date-time of a definition, for comparing with a DATETIME column. */
export const toDate = (value: PropertyValue): Date =>
  new Date(Math.min(last, Math.max(first, Date.parse(String(value)))));
