/*
 * The script of the reference's pages: search in all of them, one choice of surface for all examples, copying, syntax
 * colours and the current position in the contents. Plain JavaScript as text, because the server has no browser types.
 */

const searching = `
const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
const box = document.getElementById('search');
const found = document.getElementById('found');
const results = document.getElementById('results');
box.closest('search').hidden = false;
const links = $('#contents a');
const here = new Map(links.filter((link) => link.pathname === location.pathname).map((link) => [link.hash.slice(1), link]));
const entries = links.filter((link) => link.hash !== '').map((link) => ({
  link,
  name: link.textContent.toLowerCase(),
  near: (link.textContent + ' ' + link.dataset.about + ' ' + (link.dataset.words ?? '')).toLowerCase(),
}));
// The text of every section of every page: read once, for words that no name or summary has.
let texts;
const readTexts = async (path) => {
  const page = path === location.pathname ? document : new DOMParser().parseFromString(await (await fetch(path)).text(), 'text/html');
  return $('.entry', page).map((section) => [path + '#' + section.id, section.textContent.toLowerCase()]);
};
const allTexts = () =>
  (texts ??= Promise.all([...new Set(links.map((link) => link.pathname))].map(readTexts)).then(
    (pages) => new Map(pages.flat()),
    () => { texts = undefined; return new Map(); },
  ));
const matching = async (words) => {
  const has = (text) => words.every((word) => text.includes(word));
  const near = entries.filter((entry) => has(entry.near));
  if (near.length > 0) return near.sort((a, b) => has(b.name) - has(a.name));
  const all = await allTexts();
  return entries.filter(({ link }) => has(all.get(link.pathname + link.hash) ?? ''));
};
const groups = $('#contents details').map((details) => ({ details, wasOpen: details.open }));
const element = (name, text, className = '') => Object.assign(document.createElement(name), { textContent: text, className });
const show = (shown) => {
  const items = shown.slice(0, 100).map(({ link }) => {
    const item = element('li', '');
    item.append(Object.assign(element('a', link.textContent), { href: link.href }), element('p', link.dataset.about));
    return item;
  });
  const list = element('ol', '');
  list.append(...items);
  results.replaceChildren(
    element('h2', shown.length === 0 ? 'No results' : shown.length === 1 ? '1 result' : shown.length + ' results', 'minor'),
    shown.length === 0 ? element('p', 'Try fewer letters, or a word for what you want to do.') : list,
  );
};
const search = async () => {
  const query = box.value;
  const words = query.toLowerCase().split(/\\s+/).filter(Boolean);
  const searching = words.length > 0;
  const shown = searching ? await matching(words) : [];
  if (box.value !== query) return;
  const kept = new Set(shown.map(({ link }) => link));
  for (const link of links) link.parentElement.hidden = searching && !kept.has(link);
  for (const { details, wasOpen } of groups) {
    details.hidden = searching && !$('li', details).some((item) => !item.hidden);
    details.open = searching || wasOpen;
  }
  for (const group of $('main > .group')) group.hidden = searching;
  results.hidden = !searching;
  show(shown);
  found.textContent = searching ? shown.length + ' found' : '';
};
let due = 0;
box.addEventListener('input', () => {
  cancelAnimationFrame(due);
  due = requestAnimationFrame(() => {
    search();
    scrollTo({ top: 0, behavior: 'instant' });
  });
});
const reset = () => {
  if (box.value === '') return;
  box.value = '';
  search();
};
box.addEventListener('keydown', async (event) => {
  if (event.key === 'Escape') reset();
  if (event.key !== 'Enter') return;
  // The results may be those of an earlier text.
  await search();
  results.querySelector('a')?.click();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest('input[type=search], textarea, [contenteditable]')) return;
  event.preventDefault();
  box.focus();
  box.select();
});
addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[href]');
  if (!link || link.origin !== location.origin) return;
  if (link.pathname === location.pathname) reset();
  const menu = link.closest('[popover]');
  if (menu?.matches(':popover-open')) menu.hidePopover();
});
// Sections that were never rendered have an estimated height, so scrolling is repeated until the target's position is
// right.
const goTo = (target, tries) => {
  target.scrollIntoView({ behavior: 'instant' });
  const before = scrollY;
  requestAnimationFrame(() => setTimeout(() => {
    const { top } = target.getBoundingClientRect();
    if (tries > 0 && Math.abs(scrollY - before) < 2 && Math.abs(top - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)) > 2) goTo(target, tries - 1);
  }));
};
const arrive = () => {
  if (location.hash === '') return;
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) goTo(target, 6);
  // An address from before the reference had several pages.
  else location.replace(links.find((link) => link.hash === location.hash)?.href ?? location.pathname);
};
addEventListener('hashchange', arrive);
arrive();
if (box.value !== '') search();
`;

const examples = `
const remembered = (() => { try { return localStorage.getItem('svc-reference-form'); } catch { return null; } })();
const choose = (form) => {
  for (const radio of $('.forms input')) if (radio.value === form) radio.checked = true;
};
if (remembered) choose(remembered);
addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
  const before = target.nextElementSibling.getBoundingClientRect().top;
  choose(target.value);
  scrollBy({ top: target.nextElementSibling.getBoundingClientRect().top - before, behavior: 'instant' });
  try { localStorage.setItem('svc-reference-form', target.value); } catch { /* Without storage the choice is not remembered. */ }
});
if (navigator.clipboard) {
  for (const forms of $('.forms')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    forms.insertBefore(button, forms.querySelector('pre'));
  }
  addEventListener('click', async ({ target }) => {
    if (!(target instanceof Element) || !target.matches('.copy')) return;
    const shown = $('pre', target.parentElement).find((each) => each.offsetParent !== null);
    await navigator.clipboard.writeText(shown.textContent);
    target.textContent = 'Copied';
    setTimeout(() => { target.textContent = 'Copy'; }, 1500);
  });
}
`;

const looks = `
const tokens = /("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*')(\\s*:)?|(?<![\\w/.:-])(?:true|false|null|\\d+(?:\\.\\d+)?)\\b/g;
const colour = (code) => {
  const node = code.firstChild;
  if (!node) return;
  for (const token of node.data.matchAll(tokens)) {
    const range = new Range();
    range.setStart(node, token.index);
    range.setEnd(node, token.index + (token[1] ?? token[0]).length);
    CSS.highlights.get(token[2] ? 'key' : token[1] ? 'string' : 'number').add(range);
  }
};
if (globalThis.Highlight && CSS.highlights) {
  for (const kind of ['key', 'string', 'number']) CSS.highlights.set(kind, new Highlight());
  const near = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      $('pre code', target).forEach(colour);
    }
  }, { rootMargin: '600px' });
  for (const section of $('.entry, #start')) near.observe(section);
}
const nav = document.getElementById('contents');
let current = links.find((link) => link.hasAttribute('aria-current'));
const mark = (link) => {
  if (!link || link === current) return;
  current?.removeAttribute('aria-current');
  current = link;
  link.setAttribute('aria-current', 'true');
  const details = link.closest('details');
  if (details && !nav.matches(':popover-open')) details.open = true;
  const { top, bottom } = link.getBoundingClientRect();
  const around = nav.getBoundingClientRect();
  if (top < around.top + 40 || bottom > around.bottom - 40) nav.scrollTop += top - around.top - around.height / 3;
};
const reading = new IntersectionObserver((seen) => {
  const last = seen.filter(({ isIntersecting }) => isIntersecting).at(-1);
  if (last) mark(here.get(last.target.id));
}, { rootMargin: '-15% 0px -75% 0px' });
for (const section of $('.entry, h2[id]')) reading.observe(section);
`;

/** The script of the reference. Without it the page is still complete. */
export const script = searching + examples + looks;
