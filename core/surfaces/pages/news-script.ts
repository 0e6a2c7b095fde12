/** The inputs of the script of a page with news. All of it is constant text. */
interface News {
  /**
   * The page's path; with `?newest` it answers the value of the element's `data-newest`, or another value if there is
   * news.
   */
  path: string;
  /**
   * The id of the element that is replaced. Items in it have `data-item`; an element with the id `said` tells of new
   * ones.
   */
  element: string;
}

/**
 * A script that shows new items within two seconds and keeps relative times up to date. Without it, the page is
 * complete and is reloaded by hand.
 */
export const newsScript = ({ path, element }: News): string => `
const said = document.getElementById('said');
const items = () => [...document.querySelectorAll('#${element} [data-item]')];
const list = () => document.getElementById('${element}');
const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
const tell = () => {
  for (const time of document.querySelectorAll('#${element} time')) {
    const seconds = Math.round((Date.now() - Date.parse(time.dateTime)) / 1000);
    const unit = units.find(([, length]) => seconds >= length);
    time.textContent = unit ? format.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now';
  }
};
const refresh = async () => {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const text = await answer.text();
  // Without the style element, whose nonce is not that of this page.
  const [title, main] = [/<title>[^]*?<\\/title>/, /<main[^]*<\\/main>/].map((part) => part.exec(text)?.[0] ?? '');
  const fresh = new DOMParser().parseFromString(title + main, 'text/html');
  const known = new Set(items().map((item) => item.dataset.item));
  const focused = document.activeElement?.closest('#${element} [data-item]')?.dataset.item;
  list().replaceWith(document.adoptNode(fresh.getElementById('${element}')));
  document.title = fresh.title;
  items().find((item) => item.dataset.item === focused)?.focus();
  const added = items().filter((item) => !known.has(item.dataset.item));
  for (const item of added) item.classList.add('new');
  said.textContent = added.length === 0 ? '' : added.length === 1 ? 'One new message' : added.length + ' new messages';
};
const look = async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch('${path}?newest');
    if (answer.ok && (await answer.text()) !== list().dataset.newest) await refresh();
  } catch { /* The server is being restarted. */ }
  tell();
};
const again = () => setTimeout(() => look().finally(again), 2000);
again();
addEventListener('visibilitychange', look);
`;
