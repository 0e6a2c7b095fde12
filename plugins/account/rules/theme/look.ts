import { dateTime, email, integer, named, nullable, object, oneOf, optional, text, url, type ValueOf } from '#core/kernel/schema/schema.js';

const color = text('A colour as #rrggbb.', { pattern: '^#[0-9a-fA-F]{6}$' });

const colors = object({ background: color, surface: color, text: color, primary: color, onPrimary: color, link: color, border: color });

const radius = oneOf(['none', 'small', 'large']);
const font = oneOf(['system', 'serif', 'mono']);
const brandName = text('Stands at the head of pages and mails.', { minLength: 1, maxLength: 120 });
const logoUrl = url('An https address.', { pattern: '^https://' });
const supportUrl = url('Where people find help.', { pattern: '^https?://' });

/** A theme as it is saved: every value of strict grammar, because it lands in stylesheets. */
export const themeInput = object({
  brandName,
  logoUrl: optional(nullable(logoUrl)),
  colors,
  radius,
  font,
  supportUrl: optional(nullable(supportUrl)),
  supportEmail: optional(nullable(email())),
});

const look = { brandName: text(), logoUrl: nullable(url()), colors, radius, font, supportUrl: nullable(url()), supportEmail: nullable(email()) };

const lookSchema = object(look);
/** What a theme looks like, without its version. */
export type Look = ValueOf<typeof lookSchema>;

export const Theme = named('Theme', object({ version: integer('0 is the default theme.'), ...look, publishedAt: nullable(dateTime()) }));
export type ThemeValue = ValueOf<typeof Theme>;

/** The default look, in the name of the project. Every text pair of it passes WCAG AA. */
export const defaultLook = (projectName: string): Look => ({
  brandName: projectName,
  logoUrl: null,
  colors: { background: '#f5f6f8', surface: '#ffffff', text: '#1a1d23', primary: '#1f5fbf', onPrimary: '#ffffff', link: '#1a56b0', border: '#d5d9e0' },
  radius: 'small',
  font: 'system',
  supportUrl: null,
  supportEmail: null,
});
