/** Colours as #rrggbb and their contrast (WCAG 2.2). */

const pattern = /^#[0-9a-f]{6}$/i;

/** Minimum contrast of text of any size, level AA (WCAG 2.2, 1.4.3). */
export const textContrast = 4.5;

/** Minimum contrast of borders of controls and focus indicators (WCAG 2.2, 1.4.11). */
export const shapeContrast = 3;

/** Whether the text is exactly one #rrggbb colour. */
export const isColour = (text: string): boolean => pattern.test(text);

const channels = (colour: string): [number, number, number] => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance: 0 for black, 1 for white. */
export const luminance = (colour: string): number => {
  const [red, green, blue] = channels(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

/** Contrast ratio: 1 for equal colours, 21 for black on white. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** Mixes two colours. @param share of `other`: 0 gives `one`, 1 gives `other` */
export const mix = (one: string, other: string, share: number): string => {
  const to = channels(other);
  const mixed = channels(one).map((from, index) => Math.round(from + ((to[index] ?? from) - from) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
};

/**
 * Moves a colour towards another one, only as far as needed for the minimum contrast to every background.
 * @param towards the result when no step between suffices, such as white on dark backgrounds
 */
export const ensureContrast = (
  backgrounds: readonly string[],
  colour: string,
  towards: string,
  minimum: number,
): string => {
  const steps = Array.from({ length: 21 }, (_, step) => mix(colour, towards, step / 20));
  return steps.find((step) => backgrounds.every((background) => contrast(step, background) >= minimum)) ?? towards;
};
