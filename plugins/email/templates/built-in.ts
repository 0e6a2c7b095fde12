import type { EmailSystemTemplate, EmailTexts } from '#core/messaging/system-template.js';
import { labelOf } from '#core/surfaces/pages/texts.js';
import type { ContentSelector } from '../layout/styles.js';
import type { TemplateSource } from '../tables/template.js';

/**
 * The attribute that gives an element its style: none in a source that people edit, whose CSS is inlined when it is
 * published.
 */
type StyleAttribute = (selector: ContentSelector) => string;

const withBreaks = (liquid: string): string => liquid.replaceAll('\n', '<br>\n');

/** The content of a built-in text as HTML with Liquid. */
function builtInHtml({ heading, body, button, footer }: EmailTexts, style: StyleAttribute): string {
  const action =
    button === undefined
      ? []
      : [
          `<p${style('p')}><a class="button" href="{{ url }}"${style('.button')}>${button}</a></p>`,
          `<p class="small"${style('.small')}><a href="{{ url }}"${style('a')}>{{ url }}</a></p>`,
        ];
  return [
    `<h1${style('h1')}>${heading}</h1>`,
    `<p${style('p')}>${withBreaks(body)}</p>`,
    ...action,
    `<p class="small"${style('.small')}>${withBreaks(footer)}</p>`,
  ].join('\n');
}

function builtInText(locale: string, { heading, body, button, footer }: EmailTexts): string {
  const action = button === undefined ? [] : [`${labelOf(locale, button)} {{ url }}`];
  return [heading, body, ...action, footer, '{{ brandName }}'].join('\n\n');
}

/** A built-in text as the source of a template, to show it and to start an override from it. */
export const builtInSource = (locale: string, texts: EmailTexts, style: StyleAttribute = () => ''): TemplateSource => ({
  subject: texts.subject,
  html: builtInHtml(texts, style),
  text: `${builtInText(locale, texts)}\n`,
  preheader: null,
});

/** All locales of a system template as the sources of a template. */
export const builtInSources = ({ locales }: EmailSystemTemplate): Record<string, TemplateSource> =>
  Object.fromEntries(Object.entries(locales).map(([locale, texts]) => [locale, builtInSource(locale, texts)]));
