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

/** What a page looks like; a published theme of an environment is one. */
export interface PageTheme {
  brandName: string;
  logoUrl: string | null;
  colors: PageColours;
  radius: 'none' | 'small' | 'large';
  font: 'system' | 'serif' | 'mono';
  supportUrl: string | null;
  supportEmail: string | null;
}

/** Colours of one mode: the theme's own, and those that follow from them. */
export interface Palette extends PageColours {
  /** Text that matters less, still 4.5:1. */
  muted: string;
  /** Borders of controls. */
  control: string;
}

/** The look of pages that no environment stands behind. */
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
  const grounds = [colours.background, colours.surface];
  return {
    ...colours,
    muted: ensureContrast(grounds, mix(colours.text, colours.surface, 0.35), colours.text, textContrast),
    control: ensureContrast(grounds, mix(colours.text, colours.surface, 0.6), colours.text, shapeContrast),
  };
};

/**
 * The theme's own colours. They were checked when they were saved and are checked again here, where they enter a
 * stylesheet (reliability.md: theme values follow strict grammars); what is no colour becomes the default one.
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

/** More than AA asks for: thin coloured strokes on near black tire the eye sooner than dark ones on white. */
const nightLinkContrast = 6;

/**
 * The same theme by night: grounds near black with a breath of its primary colour, on which every text keeps 4.5:1. A
 * theme that is dark by itself stays as it is.
 */
export function darkPalette(theme: PageTheme): Palette {
  const light = lightPalette(theme);
  if (luminance(light.background) < 0.18) return light;
  const background = mix('#101216', light.primary, 0.05);
  const surface = mix('#191c21', light.primary, 0.05);
  const grounds = [background, surface];
  const primary = ensureContrast(grounds, light.primary, '#ffffff', shapeContrast);
  const labels = [light.onPrimary, '#ffffff', '#101216'];
  return withDerived({
    background,
    surface,
    text: '#e8eaee',
    primary,
    onPrimary: labels.find((label) => contrast(label, primary) >= textContrast) ?? '#000000',
    link: ensureContrast(grounds, light.link, '#ffffff', nightLinkContrast),
    border: mix(surface, '#ffffff', 0.14),
  });
}

/** An address that may stand in a page, or null: `javascript:` and relative ones are none. */
export const webAddress = (text: string | null, protocols: readonly string[]): string | null =>
  text !== null && URL.canParse(text) && protocols.includes(new URL(text).protocol) ? new URL(text).href : null;
