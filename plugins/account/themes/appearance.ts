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
// Used in mail headers too: no control characters, no blanks at either end.
const brandName = text('Shown at the top of pages and mails; without web addresses.', {
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\s\\p{Cc}\\p{Cs}]([^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}])?$',
});
/** The characters of RFC 3986 except quotes and parentheses, which would end a CSS `url(…)` or an HTML attribute. */
const urlRest = '[A-Za-z0-9\\-._~:/?#\\[\\]@!$&*+,;=%]+$';
const logoUrl = url('An https address.', { pattern: `^https://${urlRest}` });
const supportUrl = url('Where people find help.', { pattern: `^https?://${urlRest}` });

/** A theme as input. Values are restricted to strict patterns because they are inserted into stylesheets. */
export const themeInput = object({
  brandName,
  logoUrl: optional(nullable(logoUrl)),
  colors,
  radius,
  font,
  supportUrl: optional(nullable(supportUrl)),
  supportEmail: optional(nullable(email())),
});

const appearance = {
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
  object({ version: integer('0 is the default theme.'), ...appearance, publishedAt: nullable(dateTime()) }),
);
export type ThemeValue = ValueOf<typeof Theme>;
/** A theme without its version and publication time. */
export type Appearance = Omit<ThemeValue, 'version' | 'publishedAt'>;

/** The default theme, with the project’s name as its brand name. Its text pairs pass WCAG AA. */
export const defaultAppearance = (projectName: string): Appearance => ({ ...defaultPageTheme, brandName: projectName });
