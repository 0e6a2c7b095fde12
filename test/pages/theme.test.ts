import { expect } from 'chai';
import { contrast, mix, shapeContrast, textContrast } from '#core/surfaces/pages/colour.js';
import { stylesheet } from '#core/surfaces/pages/styles.js';
import {
  darkPalette,
  defaultPageTheme,
  lightPalette,
  type PageTheme,
  type Palette,
} from '#core/surfaces/pages/theme.js';

const themed = (colors: Partial<PageTheme['colors']>): PageTheme => ({
  ...defaultPageTheme,
  colors: { ...defaultPageTheme.colors, ...colors },
});

/** The colour pairs of a page with their minimum contrast. */
const pairs = ({
  background,
  surface,
  text,
  muted,
  primary,
  onPrimary,
  link,
  control,
  problem,
}: Palette): [string, number, number][] => [
  ...[background, surface].flatMap((ground): [string, number, number][] => [
    ['text', contrast(text, ground), textContrast],
    ['muted', contrast(muted, ground), textContrast],
    ['link', contrast(link, ground), textContrast],
    ['problem', contrast(problem, ground), textContrast],
    ['control', contrast(control, ground), shapeContrast],
  ]),
  ['onPrimary', contrast(onPrimary, primary), textContrast],
];

const tooLow = (palette: Palette): [string, number, number][] =>
  pairs(palette).filter(([, found, least]) => found < least);

describe('a page’s colours', () => {
  it('computes contrast as defined by WCAG', () => {
    expect(contrast('#000000', '#ffffff')).to.equal(21);
    expect(contrast('#777777', '#ffffff')).to.be.closeTo(4.48, 0.01);
    expect(mix('#000000', '#ffffff', 0.5)).to.equal('#808080');
  });

  it('uses the theme’s own colours in light mode', () => {
    const colors = { background: '#fff8ee', link: '#8a2be2' };
    expect(lightPalette(themed(colors))).to.include(colors);
    expect(tooLow(lightPalette(defaultPageTheme))).to.deep.equal([]);
  });

  it('has a contrast of 4.5:1 in dark mode for any primary and link colour', () => {
    const steps = ['00', '33', '66', '99', 'cc', 'ff'];
    const colours = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));
    for (const colour of colours) {
      expect(
        tooLow(darkPalette(themed({ primary: colour, link: colour, onPrimary: '#ffffff' }))),
        colour,
      ).to.deep.equal([]);
    }
  });

  it('does not change a theme that is already dark', () => {
    const dark = themed({ background: '#10131a', surface: '#181c25', text: '#f0f0f0', link: '#8ab4f8' });
    expect(darkPalette(dark)).to.deep.equal(lightPalette(dark));
  });

  it('accepts only colours into the stylesheet', () => {
    const sheet = stylesheet(
      themed({ primary: 'red; } body { visibility: collapse', link: '#12345', text: 'url(https://evil.example)' }),
    );
    expect(sheet).to.not.contain('evil').and.not.contain('visibility: collapse').and.not.contain('#12345;');
    expect(sheet).to.contain(`--primary: ${defaultPageTheme.colors.primary};`);
    expect(() => stylesheet(defaultPageTheme, '</style><script>')).to.throw('stylesheet');
  });
});
