import { boolean, number, object, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { contrast, textContrast } from '#core/surfaces/pages/colour.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';

type Colors = PageTheme['colors'];

/** Every pair of text colour and background that is used in hosted pages and mails. */
const pairs: readonly (readonly [keyof Colors, keyof Colors])[] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['link', 'background'],
  ['link', 'surface'],
  ['onPrimary', 'primary'],
];

export const contrastFields = {
  pair: text('Text colour and background, such as `text/background`.'),
  ratio: number('Rounded to two decimal places.'),
  passes: boolean('Whether the ratio, before rounding, is at least 4.5:1 (WCAG AA).'),
} as const;

export const Contrast = object(contrastFields);

/** The contrast of each text pair of a theme. */
export const contrastOf = ({ colors }: Pick<PageTheme, 'colors'>): ValueOf<typeof Contrast>[] =>
  pairs.map(([front, back]) => {
    const ratio = contrast(colors[front], colors[back]);
    return { pair: `${front}/${back}`, ratio: Math.round(ratio * 100) / 100, passes: ratio >= textContrast };
  });
