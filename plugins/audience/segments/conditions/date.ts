import type { PropertyValue } from '../../contacts/value-key.js';

/** What a DATETIME holds (MySQL 8.4, 13.2.1): comparing one with less or more is an error there. */
const [first, last] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31)];

/** A definition's date and time, as columns hold it. */
export const moment = (value: PropertyValue): Date =>
  new Date(Math.min(last, Math.max(first, Date.parse(String(value)))));
