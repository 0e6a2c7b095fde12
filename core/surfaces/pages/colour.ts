/** Colours as #rrggbb, and how well they read on each other (WCAG 2.2). */

const grammar = /^#[0-9a-f]{6}$/i;

/** AA for text of any size (WCAG 2.2, 1.4.3). */
export const textContrast = 4.5;

/** For what is no text: borders of controls, marks of focus (WCAG 2.2, 1.4.11). */
export const shapeContrast = 3;

/** Is this one colour, and nothing else that a stylesheet would take? */
export const isColour = (text: string): boolean => grammar.test(text);

const channels = (colour: string): [number, number, number] => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** From 0 for black to 1 for white. */
export const luminance = (colour: string): number => {
  const [red, green, blue] = channels(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

/** From 1 for one and the same to 21 for black on white. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** `share` of `other` in `one`: 0 is `one` itself, 1 is `other`. */
export const mix = (one: string, other: string, share: number): string => {
  const to = channels(other);
  const mixed = channels(one).map((from, index) => Math.round(from + ((to[index] ?? from) - from) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
};

/**
 * The colour moved towards another one, no further than it takes to be told from every ground.
 * @param towards what it becomes where nothing nearer does: on dark grounds white, or a text colour
 */
export const ensureContrast = (grounds: readonly string[], colour: string, towards: string, least: number): string => {
  const steps = Array.from({ length: 21 }, (_, step) => mix(colour, towards, step / 20));
  return steps.find((step) => grounds.every((ground) => contrast(step, ground) >= least)) ?? towards;
};
