/**
 * A QR code as SVG, for the `innerHTML` of a page or an `<img>`. Dark on light with a quiet zone, regardless of the
 * page's colours, because many readers fail on inverted codes. It has a name for screen readers.
 */
export async function qrSvg(content: string): Promise<string> {
  // Loaded on first use, because it takes 8 MiB of memory.
  const { default: QRCode } = await import('qrcode');
  const svg = await QRCode.toString(content, { type: 'svg', margin: 4, errorCorrectionLevel: 'M' });
  return svg.replace('<svg ', '<svg role="img" aria-label="QR code to scan with an authenticator app" ').trim();
}
