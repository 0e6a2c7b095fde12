/**
 * The script of the list: shows new mail within two seconds, and keeps relative times up to date. Without it, the list is complete and is
 * reloaded by hand.
 */
export const listScript = `
const said = document.getElementById('said');
const list = () => document.getElementById('mails');
const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
const tell = () => {
  for (const time of document.querySelectorAll('#mails time')) {
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
  const known = new Set([...document.querySelectorAll('#mails a')].map((link) => link.href));
  const focused = document.activeElement?.closest('#mails a')?.href;
  list().replaceWith(document.adoptNode(fresh.getElementById('mails')));
  document.title = fresh.title;
  const links = [...document.querySelectorAll('#mails a')];
  links.find((link) => link.href === focused)?.focus();
  const added = links.filter((link) => !known.has(link.href));
  for (const link of added) link.classList.add('new');
  said.textContent = added.length === 0 ? '' : added.length === 1 ? 'One new message' : added.length + ' new messages';
};
const look = async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch('/dev/mailbox?newest');
    if (answer.ok && (await answer.text()) !== list().dataset.newest) await refresh();
  } catch { /* The server is being restarted. */ }
  tell();
};
const again = () => setTimeout(() => look().finally(again), 2000);
again();
addEventListener('visibilitychange', look);
`;
