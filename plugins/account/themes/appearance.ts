import type { Deployment } from '#core/kernel/deployment.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defaultPageTheme, textPairs, type PageTheme } from '#core/surfaces/pages/theme.js';
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
  boolean,
  number,
  type Schema,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { contrast, textContrast } from '#core/surfaces/pages/colour.js';

const color = (description: string): Schema<string> => text(description, { pattern: '^#[0-9a-fA-F]{6}$' });

const colors = object(
  {
    background: color('The background colour of the page, as #rrggbb.'),
    surface: color('The background colour of cards and fields, as #rrggbb.'),
    text: color('The colour of text, as #rrggbb.'),
    primary: color('The colour of buttons, as #rrggbb.'),
    onPrimary: color('The colour of text on buttons, as #rrggbb.'),
    link: color('The colour of links, as #rrggbb.'),
    border: color('The colour of borders, as #rrggbb.'),
  },
  { description: 'Text needs a contrast of at least 4.5:1 before the theme can be published.' },
);

const radius = oneOf(['none', 'small', 'large'], 'How rounded the corners are.');
const font = oneOf(['system', 'serif', 'mono'], 'The font family.');
/** Control characters, for a character class. */
const controls = '\\x00-\\x1f\\x7f-\\x9f';
// Also used in mail headers: no control characters, no spaces at either end.
const brandName = text('Shown at the top of pages and mails, without web addresses.', {
  minLength: 1,
  maxLength: 120,
  pattern: `^[^\\s${controls}]([^${controls}]*[^\\s${controls}])?$`,
});
/** The characters of RFC 3986 except quotes and parentheses, which would end a CSS `url(…)` or an HTML attribute. */
const urlRest = '[A-Za-z0-9\\-._~:/?#\\[\\]@!$&*+,;=%]+$';
const logoUrl = url('An https URL, or the address of a picture that this server stores.', {
  pattern: `^https?://${urlRest}`,
});
const supportEmail = email('The email address of your support team.');
const supportUrl = url('The page where people find help.', { pattern: `^https?://${urlRest}` });

/** A theme as input. Values are restricted to strict patterns because they are inserted into stylesheets. */
export const themeInput = object(
  {
    brandName,
    logoUrl: optional(nullable(logoUrl)),
    colors,
    radius,
    font,
    supportUrl: optional(nullable(supportUrl)),
    supportEmail: optional(nullable(supportEmail)),
  },
  { description: 'The look of hosted pages and system mail.' },
);

/**
 * Checks a logo's address: browsers do not show one of http on a page of https. Pictures that svc stores are at its own
 * address, which is http on development machines.
 * @throws invalid_input
 */
export function ownOrHttps(address: string | null, { baseUrl }: Pick<Deployment, 'baseUrl'>): string | null {
  if (address === null || address.startsWith('https://') || address.startsWith(`${baseUrl}/email/images/`))
    return address;
  throw invalidField('theme.logoUrl', 'must be an https URL');
}

const appearance = {
  brandName: text('Shown at the top of pages and mails.'),
  logoUrl: nullable(url('The logo, shown instead of the brand name.')),
  colors,
  radius,
  font,
  supportUrl: nullable(url('The page where people find help.')),
  supportEmail: nullable(supportEmail),
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
  object(
    {
      version: integer('0 is the default theme.'),
      ...appearance,
      publishedAt: nullable(dateTime('When it was published; null for drafts and the default theme.')),
    },
    { description: 'A theme: the look of hosted pages and system mail.' },
  ),
);
export type ThemeValue = ValueOf<typeof Theme>;
/** The default theme, with the project’s name as its brand name. Its text pairs pass WCAG AA. */
export const defaultAppearance = (projectName: string): PageTheme => ({ ...defaultPageTheme, brandName: projectName });

export const contrastFields = {
  pair: text('Text colour and background, such as `text/background`.'),
  ratio: number('Rounded to two decimal places.'),
  passes: boolean('Whether the ratio, before rounding, is at least 4.5:1 (WCAG AA).'),
} as const;

export const Contrast = object(contrastFields);

/** The contrast of each text pair of a theme. */
export const contrastOf = ({ colors }: Pick<PageTheme, 'colors'>): ValueOf<typeof Contrast>[] =>
  textPairs.map(([front, back]) => {
    const ratio = contrast(colors[front], colors[back]);
    return { pair: `${front}/${back}`, ratio: Math.round(ratio * 100) / 100, passes: ratio >= textContrast };
  });

/** The theme in the examples of account.theme.*. */
export const exampleAppearance = {
  ...defaultAppearance('Acme'),
  logoUrl: 'https://acme.example/logo.svg',
  supportEmail: 'help@acme.example',
};

export const themeTime = nullable(
  dateTime('When the draft or the published theme was changed last; null until the first change.'),
);

export const exampleTheme = { version: 1, ...exampleAppearance, publishedAt: '2026-11-20T09:30:00.000Z' };

export const exampleDraft = { ...exampleTheme, version: 2, font: 'serif' as const, publishedAt: null };

export const exampleContrast = contrastOf(exampleAppearance);
