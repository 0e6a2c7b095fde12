/**
 * Widths between these are typical of a mail's own column; smaller ones belong to parts of it, larger ones are not a
 * design for mail.
 */
const narrowest = 320;
const widest = 1_000;
/** Width of the smallest screens, and the difference between two steps of the scale. */
const smallest = 240;
const step = 20;

/** `width="600"`, `width: 600px` and `min-width: 600px`, but not `max-width`, which adapts by itself. */
const fixedWidth = /(?:^|[\s;"'{])(?:min-)?width\s*[=:]\s*["']?(\d{3,4})(?:px)?["'\s;>}]/gi;

/**
 * A style element that makes a mail with a fixed width fit a smaller frame, as mail programs on phones do. The frame
 * may not run scripts, so the width is read from the HTML, and the scale is chosen by media queries. Empty for a mail
 * without a fixed width, and for one that adapts to small screens itself.
 */
export function scaling(markup: string): string {
  if (/@media[^{]{0,200}max-(?:device-)?width/i.test(markup)) return '';
  const widths = [...markup.matchAll(fixedWidth)]
    .map(([, digits]) => Number(digits))
    .filter((width) => width >= narrowest && width <= widest);
  const width = widths.reduce((one, other) => Math.max(one, other), 0);
  if (width === 0) return '';
  // The margins of the body, 8 px on both sides, are scaled too.
  const whole = width + 16;
  const rules = [];
  for (let screen = Math.ceil(whole / step) * step; screen > smallest; screen -= step)
    rules.push(`@media (max-width: ${screen - 1}px) { html { zoom: ${((screen - step) / whole).toFixed(3)} } }`);
  return `<style>${rules.join('\n')}</style>`;
}
