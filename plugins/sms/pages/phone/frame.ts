import type { PageAnswer } from '#core/kernel/page.js';
import { developerPage } from '#core/surfaces/pages/developer-page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { newsScript } from '#core/surfaces/pages/news-script.js';
import { styles } from './styles.js';

/** The path of the page. */
export const phonePath = '/dev/phone';

/** The most characters of a text that can be written: ten segments hold fewer. */
export const longestText = 1_600;

interface PhoneContent {
  title: string;
  body: Markup;
  status?: number;
  /** Whether new texts appear automatically; they do by default. */
  hasNews?: boolean;
}

export const page = ({ hasNews = true, ...content }: PhoneContent): PageAnswer =>
  developerPage({
    ...content,
    styles,
    ...(hasNews ? { script: newsScript({ path: phonePath, element: 'texts' }) } : {}),
  });

/** The address of one phone's conversation. */
export const addressOf = (phone: string): string => `?${new URLSearchParams({ phone }).toString()}`;

/** An error in a form. */
export const problemLine = (problem: string | undefined): Markup =>
  problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`;
