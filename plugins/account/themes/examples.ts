import { contrastOf } from './contrast.js';
import { defaultAppearance } from './appearance.js';

/** The theme in the examples of account.theme.*. */
export const exampleAppearance = {
  ...defaultAppearance('Acme'),
  logoUrl: 'https://acme.example/logo.svg',
  supportEmail: 'help@acme.example',
};

export const exampleTheme = { version: 1, ...exampleAppearance, publishedAt: '2026-11-20T09:30:00.000Z' };

export const exampleDraft = { ...exampleTheme, version: 2, font: 'serif' as const, publishedAt: null };

export const exampleContrast = contrastOf(exampleAppearance);
