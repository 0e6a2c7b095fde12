/** A theme that passes WCAG AA, with `changes`. */
export const themeWith = (
  changes: {
    brandName?: string;
    logoUrl?: string | null;
    supportUrl?: string | null;
    supportEmail?: string | null;
    colors?: Partial<typeof readable>;
  } = {},
) => ({
  brandName: 'Acme',
  radius: 'large' as const,
  font: 'serif' as const,
  ...changes,
  colors: { ...readable, ...changes.colors },
});

const readable = {
  background: '#ffffff',
  surface: '#f0f0f0',
  text: '#111111',
  primary: '#003366',
  onPrimary: '#ffffff',
  link: '#0044aa',
  border: '#cccccc',
};
