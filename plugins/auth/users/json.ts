/** A stored metadata object. */
export function jsonObject(stored: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(stored);
  return typeof parsed === 'object' && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {};
}
