import { invalidField } from '../errors/invalid-field.js';

/**
 * Bounds the size of JSON that callers choose. The depth of nesting is bounded for the whole body. @throws
 * invalid_input naming the field
 */
export function requireJsonSize(field: string, value: unknown, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > maxBytes) throw invalidField(field, `holds ${bytes} bytes as JSON, and may hold ${maxBytes}`);
}
