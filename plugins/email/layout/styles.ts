import { darkPalette, lightPalette, type PageTheme } from '#core/surfaces/pages/theme.js';

/*
 * The styles of mails in the theme of an environment. Mail programs ignore style sheets or parts of them, so every
 * element has its styles as an attribute; the style sheet in the head adds only the dark colours and the narrow screen.
 */

const fonts = {
  system: 'system-ui,-apple-system,&quot;Segoe UI&quot;,Roboto,Helvetica,Arial,sans-serif',
  serif: 'Georgia,&quot;Times New Roman&quot;,serif',
  mono: 'ui-monospace,Menlo,Consolas,monospace',
} as const;
const radii = { none: '0', small: '6px', large: '14px' } as const;

/** A font family in the form for an attribute. In a style sheet, it has plain quotes. */
const fontOf = (theme: PageTheme): string => fonts[theme.font];

/** Parts of the layout. Each is a class of that name. */
export type LayoutPart = 'page' | 'gutter' | 'frame' | 'brand' | 'logo' | 'card' | 'footer' | 'footer-link';

/** Styles of the layout's parts, in the form for style attributes. */
export function layoutStyles(theme: PageTheme): Record<LayoutPart, string> {
  const { background, surface, text, border, muted } = lightPalette(theme);
  const font = `font-family:${fontOf(theme)}`;
  return {
    page: `background-color:${background}`,
    gutter: 'padding:32px 16px',
    frame: 'width:100%;max-width:600px',
    brand: `padding:0 4px 20px;color:${text};${font};font-size:17px;line-height:24px;font-weight:600`,
    logo: 'display:block;border:0;max-width:240px;height:36px',
    card: `background-color:${surface};border:1px solid ${border};border-radius:${radii[theme.radius]};padding:32px 32px 16px;color:${text};${font};font-size:16px;line-height:1.55;word-break:break-word`,
    footer: `padding:20px 4px 0;color:${muted};${font};font-size:13px;line-height:20px`,
    'footer-link': `color:${muted};text-decoration:underline`,
  };
}

/** Elements of contents. `.button` is for a link that looks like a button; `.small` is for notes. */
export type ContentSelector =
  'h1' | 'h2' | 'h3' | 'p' | 'ul' | 'ol' | 'li' | 'a' | '.button' | 'img' | 'hr' | 'blockquote' | 'code' | '.small';

/** Styles of contents by selector, in the form for style attributes. */
export function contentStyles(theme: PageTheme): Record<ContentSelector, string> {
  const { primary, onPrimary, link, border, muted } = lightPalette(theme);
  return {
    h1: 'margin:0 0 16px;font-size:24px;line-height:1.3;font-weight:600',
    h2: 'margin:28px 0 12px;font-size:19px;line-height:1.35;font-weight:600',
    h3: 'margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600',
    p: 'margin:0 0 16px',
    ul: 'margin:0 0 16px;padding:0 0 0 24px',
    ol: 'margin:0 0 16px;padding:0 0 0 24px',
    li: 'margin:0 0 6px',
    a: `color:${link}`,
    '.button': `display:inline-block;margin:8px 0;padding:13px 24px;background-color:${primary};color:${onPrimary};text-decoration:none;font-weight:600;line-height:20px;border-radius:${radii[theme.radius]}`,
    img: 'max-width:100%;border:0',
    hr: `margin:24px 0;border:0;border-top:1px solid ${border}`,
    blockquote: `margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid ${border}`,
    code: 'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:0.92em',
    '.small': `color:${muted};font-size:13px;line-height:20px`,
  };
}

/**
 * The same as a style sheet, for contents whose CSS is inlined. Its selectors have low specificity, so that a content's
 * own styles win.
 */
export const contentSheet = (theme: PageTheme): string =>
  Object.entries(contentStyles(theme))
    .map(([selector, style]) => `${selector}{${style.replaceAll('&quot;', '"')}}`)
    .join('\n');

/** Styles that a style attribute cannot express: dark colours; on phones, less padding and columns below each other. */
export function headSheet(theme: PageTheme): string {
  const light = lightPalette(theme);
  const dark = darkPalette(theme);
  const narrow = `@media (max-width:480px){.svc-gutter{padding:16px 8px!important}.svc-card{padding:24px 20px 8px!important}.svc-column{display:block!important;width:auto!important;padding:0!important}}`;
  if (dark.background === light.background) return narrow;
  return `${narrow}
@media (prefers-color-scheme:dark){
.svc-page{background-color:${dark.background}!important}
.svc-brand{color:${dark.text}!important}
.svc-card{background-color:${dark.surface}!important;border-color:${dark.border}!important;color:${dark.text}!important}
.svc-card a{color:${dark.link}!important}
.svc-card .button{background-color:${dark.primary}!important;color:${dark.onPrimary}!important}
.svc-card hr,.svc-card blockquote{border-color:${dark.border}!important}
.svc-card .small,.svc-footer,.svc-footer-link{color:${dark.muted}!important}
}`;
}
