import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import {
  dateTime,
  email,
  integer,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  url,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

const color = text('A colour as #rrggbb.', { pattern: '^#[0-9a-fA-F]{6}$' });

const colors = object({
  background: color,
  surface: color,
  text: color,
  primary: color,
  onPrimary: color,
  link: color,
  border: color,
});

const radius = oneOf(['none', 'small', 'large']);
const font = oneOf(['system', 'serif', 'mono']);
// A name stands in mail headers too: no controls, and no blank at either end.
const brandName = text('Stands at the head of pages and mails.', {
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\s\\p{Cc}\\p{Cs}]([^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}])?$',
});
/** The characters of RFC 3986 without quotes and parentheses, which would end a `url(…)` or an attribute. */
const urlRest = '[A-Za-z0-9\\-._~:/?#\\[\\]@!$&*+,;=%]+$';
const logoUrl = url('An https address.', { pattern: `^https://${urlRest}` });
const supportUrl = url('Where people find help.', { pattern: `^https?://${urlRest}` });

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

const look = {
  brandName: text(),
  logoUrl: nullable(url()),
  colors,
  radius,
  font,
  supportUrl: nullable(url()),
  supportEmail: nullable(email()),
};

export const appearanceFields = [
  'brandName',
  'logoUrl',
  'colors',
  'radius',
  'font',
  'supportUrl',
  'supportEmail',
] as const;

export const Theme = named(
  'Theme',
  object({ version: integer('0 is the default theme.'), ...look, publishedAt: nullable(dateTime()) }),
);
export type ThemeValue = ValueOf<typeof Theme>;
/** What a theme looks like, without its version. */
export type Appearance = Omit<ThemeValue, 'version' | 'publishedAt'>;

/** The default look, in the name of the project. Every text pair of it passes WCAG AA. */
export const defaultAppearance = (projectName: string): Appearance => ({ ...defaultPageTheme, brandName: projectName });
