import type { SettingDeclarations } from './declare.js';

/** The README's table of settings, as Markdown. */
export function settingsTable(groups: readonly SettingDeclarations[]): string {
  const rows = groups
    .flatMap((settings) => Object.values(settings))
    .map(({ variable, defaultText, description }) => `| \`${variable}\` | ${defaultText} | ${description} |`);
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}
