/** A CSV from cells (RFC 4180). */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\r\n') + '\r\n';

/** Saves a text or bytes as a file. */
export function download(
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  type = 'text/csv;charset=utf-8',
): void {
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([content], { type }));
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
