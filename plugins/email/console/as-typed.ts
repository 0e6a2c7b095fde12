/** What email.send takes as Liquid, for a text that is sent as it is. */
export const asTyped = (text: string): string =>
  /\{[{%]/.test(text) ? `{% raw %}${text.replaceAll(/\{%-?\s*endraw\s*-?%\}/g, '')}{% endraw %}` : text;
