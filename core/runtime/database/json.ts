/** A JSON column of texts. MariaDB hands JSON over parsed, MySQL through some drivers as text. */
export function jsonTexts(stored: unknown): string[] {
  const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
