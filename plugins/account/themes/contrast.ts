import { boolean, number, object, text, type ValueOf } from '#core/kernel/schema/schema.js';
import type { Appearance } from './appearance.js';

type Colors = Appearance['colors'];

/** WCAG 2.x, success criterion 1.4.3, level AA, for text of normal size. */
const minRatio = 4.5;

/** Every pair of text colour and background that hosted pages and mails use. */
const pairs: readonly (readonly [keyof Colors, keyof Colors])[] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['link', 'background'],
  ['link', 'surface'],
  ['onPrimary', 'primary'],
];

export const contrastFields = {
  pair: text('Text colour and background, such as `text/background`.'),
  ratio: number('Rounded to two decimals.'),
  passes: boolean('Whether the ratio, before rounding, is at least 4.5:1 (WCAG AA).'),
} as const;

export const Contrast = object(contrastFields);

/** Relative luminance (WCAG 2.x) of `#rrggbb`: 0 for black, 1 for white. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours in either order: 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The contrast of each text pair of a theme. */
export const contrastOf = ({ colors }: Pick<Appearance, 'colors'>): ValueOf<typeof Contrast>[] =>
  pairs.map(([front, back]) => {
    const ratio = contrastRatio(colors[front], colors[back]);
    return { pair: `${front}/${back}`, ratio: Math.round(ratio * 100) / 100, passes: ratio >= minRatio };
  });
