import { contrast, isColour, luminance, mix, shapeContrast, textContrast, ensureContrast } from './colour.js';

interface PageColours {
  background: string;
  surface: string;
  text: string;
  primary: string;
  onPrimary: string;
  link: string;
  border: string;
}

/** The look of a page, such as the published theme of an environment. */
export interface PageTheme {
  brandName: string;
  logoUrl: string | null;
  colors: PageColours;
  radius: 'none' | 'small' | 'large';
  font: 'system' | 'serif' | 'mono';
  supportUrl: string | null;
  supportEmail: string | null;
}

/** The colours of one mode: the theme's own and derived ones. */
export interface Palette extends PageColours {
  /** Secondary text; contrast at least 4.5:1. */
  muted: string;
  /** Borders of controls. */
  control: string;
  /** What is wrong with an input; contrast at least 4.5:1. */
  problem: string;
}

/** Every pair of text colour and background that is used in hosted pages and mails. */
export const textPairs: readonly (readonly [keyof PageColours, keyof PageColours])[] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['link', 'background'],
  ['link', 'surface'],
  ['onPrimary', 'primary'],
];

/** The look of pages that belong to no environment. */
export const defaultPageTheme: PageTheme = {
  brandName: 'svc',
  logoUrl: null,
  colors: {
    background: '#f5f6f8',
    surface: '#ffffff',
    text: '#1a1d23',
    primary: '#1f5fbf',
    onPrimary: '#ffffff',
    link: '#1a56b0',
    border: '#d5d9e0',
  },
  radius: 'small',
  font: 'system',
  supportUrl: null,
  supportEmail: null,
};

const withDerived = (colours: PageColours): Palette => {
  const backgrounds = [colours.background, colours.surface];
  return {
    ...colours,
    muted: ensureContrast(backgrounds, mix(colours.text, colours.surface, 0.35), colours.text, textContrast),
    control: ensureContrast(backgrounds, mix(colours.text, colours.surface, 0.6), colours.text, shapeContrast),
    problem: ensureContrast(backgrounds, '#c5221f', colours.text, textContrast),
  };
};

/**
 * The theme's own colours. They were validated when saved and are validated again here, before they are added to a
 * stylesheet; an invalid colour is replaced by the default.
 */
export function lightPalette({ colors }: PageTheme): Palette {
  const own = (name: keyof PageColours): string =>
    isColour(colors[name]) ? colors[name] : defaultPageTheme.colors[name];
  return withDerived({
    background: own('background'),
    surface: own('surface'),
    text: own('text'),
    primary: own('primary'),
    onPrimary: own('onPrimary'),
    link: own('link'),
    border: own('border'),
  });
}

/** More than level AA requires: thin coloured text on a dark background is harder to read than dark text on white. */
const darkLinkContrast = 6;

/**
 * The theme's dark mode: backgrounds near black, tinted with its primary colour, on which all text has a contrast of
 * 4.5:1. A theme that is already dark is not changed.
 */
export function darkPalette(theme: PageTheme): Palette {
  const light = lightPalette(theme);
  if (luminance(light.background) < 0.18) return light;
  const background = mix('#101216', light.primary, 0.05);
  const surface = mix('#191c21', light.primary, 0.05);
  const backgrounds = [background, surface];
  const primary = ensureContrast(backgrounds, light.primary, '#ffffff', shapeContrast);
  const labels = [light.onPrimary, '#ffffff', '#101216'];
  return withDerived({
    background,
    surface,
    text: '#e8eaee',
    primary,
    onPrimary: labels.find((label) => contrast(label, primary) >= textContrast) ?? '#000000',
    link: ensureContrast(backgrounds, light.link, '#ffffff', darkLinkContrast),
    border: mix(surface, '#ffffff', 0.14),
  });
}

/** The address if it is absolute and has one of these protocols, otherwise null: never `javascript:`. */
export const webAddress = (text: string | null, protocols: readonly string[]): string | null =>
  text !== null && URL.canParse(text) && protocols.includes(new URL(text).protocol) ? new URL(text).href : null;

/** Text as HTML, also within quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
