import { toValue } from 'liquidjs';

/** A value as the engine's own output writes it. */
export function written(given: unknown): string {
  const value: unknown = toValue(given);
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(written).join('');
  const isPlainValue = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlainValue ? String(value) : '[object Object]';
}
