/*
 * The script of the site: search, one choice of language for all examples, copying, and the current position in the
 * contents. Plain JavaScript as text, because the server has no browser types. Without it the pages are still complete.
 */

const searching = String.raw`
const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
const element = (name, text, className = '') => Object.assign(document.createElement(name), { textContent: text, className });
const box = document.getElementById('search');
const panel = document.getElementById('results');
const list = panel.querySelector('[role=listbox]');
const found = document.getElementById('found');
box.closest('search').hidden = false;

// The module and the index are loaded with the first search.
let loading;
const load = () =>
  (loading ??= Promise.all([import(document.body.dataset.search), fetch(document.body.dataset.index).then((answer) => answer.json())])
    .then(([{ default: MiniSearch }, { fields, storeFields, synonyms, index }]) => ({ index: MiniSearch.loadJS(index, { fields, storeFields }), synonyms }))
    .catch((error) => { loading = undefined; throw error; }));

const ignored = new Set('a an and are as at be by can do does for from get how i if in is it me my of on or should so that the this to use using want what when where which why will with you your'.split(' '));
// The word without common endings: invitations, inviting and invited are found by invit.
const stemOf = (word) => (word.length < 5 ? word.replace(/s$/, '') : word.replace(/(ations?|ings?|ies|ied|ions?|e[drs]|es|s|e|y)$/, ''));
const wordsOf = (query) => {
  const words = query.toLowerCase().split(/[\n\r\p{Z}\p{P}]+/u).filter(Boolean);
  const telling = words.filter((word) => !ignored.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
};
const search = async (query) => {
  const { index, synonyms } = await load();
  const words = wordsOf(query);
  if (words.length === 0) return [];
  // Each word may be found as it is, by its stem or by a synonym.
  const forms = words.map((word) => ({
    combineWith: 'OR',
    queries: [
      { queries: [word], boostTerm: () => 1.5 },
      { queries: [stemOf(word)], prefix: true, boostTerm: () => 0.8 },
      ...(word.length > 4 ? [{ queries: [word], fuzzy: 1, boostTerm: () => 0.3 }] : []),
      ...(Object.hasOwn(synonyms, word) ? synonyms[word] : []).map((other) => ({ queries: [other], prefix: true, boostTerm: () => 0.7 })),
    ],
  }));
  const options = {
    boost: { title: 6, words: 5, group: 1.5, text: 1 },
    weights: { prefix: 0.9, fuzzy: 0.3 },
    boostDocument: (id, term, { weight }) => weight,
  };
  const all = index.search({ combineWith: 'AND', queries: forms }, options);
  const any = all.length < 5 && words.length > 1 ? index.search({ combineWith: 'OR', queries: forms }, options) : [];
  const known = new Set(all.map(({ id }) => id));
  const pages = new Map();
  // At most three sections of a document and two entries of a page of the reference, so that one does not hide others.
  return [...all, ...any.filter(({ id }) => !known.has(id))].filter(({ path }) => {
    const page = path.split('#')[0];
    const before = pages.get(page) ?? 0;
    pages.set(page, before + 1);
    return before < (page.startsWith('/docs/reference') ? 2 : 3);
  }).slice(0, 30);
};

let options = [];
let active = -1;
const activate = (index) => {
  options[active]?.setAttribute('aria-selected', 'false');
  active = options.length === 0 ? -1 : (index + options.length) % options.length;
  const option = options[active];
  option?.setAttribute('aria-selected', 'true');
  option?.scrollIntoView({ block: 'nearest' });
  if (option) box.setAttribute('aria-activedescendant', option.id);
  else box.removeAttribute('aria-activedescendant');
};
const optionOf = ({ path, title, group, summary }, index) => {
  const option = Object.assign(element('a', ''), { href: path, id: 'result-' + index, tabIndex: -1 });
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const name = element('b', title);
  option.append(name);
  if (group) option.append(' ', element('small', group));
  if (summary) option.append(element('span', summary));
  return option;
};
const close = () => {
  panel.hidden = true;
  options = [];
  active = -1;
  box.setAttribute('aria-expanded', 'false');
  box.removeAttribute('aria-activedescendant');
};
const update = async () => {
  const query = box.value;
  if (query.trim() === '') return close();
  let shown;
  try {
    shown = await search(query);
  } catch {
    found.textContent = 'The search could not be loaded. Try again.';
  }
  if (box.value !== query) return;
  panel.hidden = false;
  box.setAttribute('aria-expanded', 'true');
  options = (shown ?? []).map(optionOf);
  list.replaceChildren(...options);
  panel.scrollTop = 0;
  active = -1;
  activate(0);
  if (shown) found.textContent = shown.length === 0 ? 'No results. Try fewer words, or a word for what you want to do.' : shown.length === 1 ? '1 result' : shown.length + ' results';
};
box.addEventListener('focus', () => { load().catch(() => undefined); if (box.value !== '') update(); });
box.addEventListener('input', update);
box.addEventListener('keydown', async (event) => {
  if (event.isComposing) return;
  if (event.key === 'Escape') {
    if (panel.hidden) box.value = '';
    close();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    if (panel.hidden) await update();
    else activate(active + (event.key === 'ArrowDown' ? 1 : -1));
  } else if (event.key === 'Enter') {
    // The results may be those of an earlier text.
    if (active < 1) await update();
    if (!panel.hidden) options[active]?.click();
  }
});
addEventListener('keydown', (event) => {
  const wanted = (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!wanted) return;
  if (event.key === '/' && event.target instanceof Element && event.target.closest('input[type=text], textarea, [contenteditable]')) return;
  event.preventDefault();
  box.focus();
  box.select();
});
addEventListener('focusin', ({ target }) => { if (!box.closest('search').contains(target)) close(); });
addEventListener('pointerdown', ({ target }) => { if (!box.closest('search').contains(target)) close(); });
addEventListener('click', ({ target }) => {
  const link = target instanceof Element && target.closest('a[href]');
  if (!link || link.origin !== location.origin) return;
  close();
  const menu = link.closest('[popover]');
  if (menu?.matches(':popover-open')) menu.hidePopover();
});
`;

const examples = String.raw`
const remembered = (() => { try { return localStorage.getItem('svc-docs-form'); } catch { return null; } })();
const choose = (form) => {
  for (const radio of $('.forms input')) if (radio.value === form) radio.checked = true;
};
if (remembered) choose(remembered);
addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
  const before = target.nextElementSibling.getBoundingClientRect().top;
  choose(target.value);
  scrollBy({ top: target.nextElementSibling.getBoundingClientRect().top - before, behavior: 'instant' });
  try { localStorage.setItem('svc-docs-form', target.value); } catch { /* Without storage the choice is not remembered. */ }
});
if (navigator.clipboard) {
  for (const block of $('.forms, .code')) {
    const button = Object.assign(element('button', 'Copy', 'copy'), { type: 'button' });
    button.setAttribute('aria-live', 'polite');
    block.insertBefore(button, block.querySelector('pre'));
  }
  addEventListener('click', async ({ target }) => {
    if (!(target instanceof Element) || !target.matches('.copy')) return;
    const shown = $('pre', target.parentElement).find((each) => each.offsetParent !== null);
    await navigator.clipboard.writeText(shown.textContent.trimEnd());
    target.textContent = 'Copied';
    setTimeout(() => { target.textContent = 'Copy'; }, 1500);
  });
}
`;

const reading = String.raw`
const wide = matchMedia('(min-width: 80rem)');
const outline = document.querySelector('aside details');
const arrange = () => { if (outline) outline.open = wide.matches; };
wide.addEventListener('change', arrange);
arrange();
outline?.addEventListener('click', ({ target }) => { if (target.closest('a') && !wide.matches) outline.open = false; });

// People cut addresses anywhere, also inside an escape such as %20. Such a hash leads nowhere.
const idIn = (hash) => { try { return decodeURIComponent(hash.slice(1)); } catch { return ''; } };
const nav = document.getElementById('contents');
const inView = (link, frame) => {
  const { top, bottom } = link.getBoundingClientRect();
  const around = frame.getBoundingClientRect();
  if (top < around.top + 40 || bottom > around.bottom - 40) frame.scrollTop += top - around.top - around.height / 3;
};
const page = nav.querySelector('[aria-current]');
if (page) inView(page, nav);
const here = new Map($('#contents a, aside a').filter((link) => link.pathname === location.pathname && link.hash !== '').map((link) => [idIn(link.hash), link]));
let current;
const mark = (link) => {
  if (!link || link === current) return;
  current?.removeAttribute('aria-current');
  current = link;
  link.setAttribute('aria-current', 'true');
  inView(link, link.closest('nav, aside'));
};
const seen = new IntersectionObserver((entries) => {
  const last = entries.filter(({ isIntersecting }) => isIntersecting).at(-1);
  if (last) mark(here.get(last.target.id));
}, { rootMargin: '-10% 0px -75% 0px' });
for (const id of here.keys()) {
  const target = document.getElementById(id);
  if (target) seen.observe(target);
}
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
  const id = idIn(location.hash);
  const target = id === '' ? undefined : document.getElementById(id);
  if (target) goTo(target, 6);
  // An address from before the reference had several pages.
  else if (location.pathname === '/docs/reference' && /^[a-z]+\./.test(id)) location.replace('/docs/reference/' + id.split('.')[0] + '#' + id);
};
addEventListener('hashchange', arrive);
arrive();
if (box.value !== '' && document.activeElement === box) update();
`;

export const script = searching + examples + reading;
