/*
 * The script of the reference page: search, one choice of surface for all examples, copying, syntax colours and the current position in
 * the contents. Plain JavaScript as text, since the server has no browser types.
 */

const searching = `
const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
const box = document.getElementById('search');
const found = document.getElementById('found');
const nothing = document.getElementById('nothing');
box.closest('search').hidden = false;
const links = new Map($('#contents a').map((link) => [link.hash.slice(1), link]));
const entries = $('.entry').map((section) => ({
  section,
  link: links.get(section.id),
  near: $('h3, .summary', section).map((each) => each.textContent).join(' ').toLowerCase(),
}));
const matching = (words) => {
  const near = entries.filter(({ near }) => words.every((word) => near.includes(word)));
  if (near.length > 0) return new Set(near);
  const far = (entry) => (entry.far ??= entry.section.textContent.toLowerCase());
  return new Set(entries.filter((entry) => words.every((word) => far(entry).includes(word))));
};
// On small screens the contents open over the page, with all groups closed.
if (matchMedia('(max-width: 55.99rem)').matches) for (const details of $('#contents details')) details.open = false;
const contents = $('#contents details').map((details) => ({ details, wasOpen: details.open }));
const search = () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const searching = words.length > 0;
  const shown = searching ? matching(words) : new Set(entries);
  for (const entry of entries) {
    entry.section.hidden = !shown.has(entry);
    if (entry.link) entry.link.parentElement.hidden = entry.section.hidden;
  }
  document.body.classList.toggle('searching', searching);
  for (const group of $('main > .group')) group.hidden = searching && !$('.entry', group).some((each) => !each.hidden);
  for (const lead of $('.lead')) lead.hidden = searching;
  for (const { details, wasOpen } of contents) {
    const any = $('li', details).slice(1).some((item) => !item.hidden);
    details.hidden = searching && !any;
    details.open = searching ? true : wasOpen;
  }
  nothing.hidden = shown.size > 0;
  found.textContent = searching ? shown.size + ' found' : '';
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
  box.value = '';
  search();
};
box.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') reset();
  if (event.key !== 'Enter') return;
  const first = entries.find(({ section }) => !section.hidden);
  if (first && box.value !== '') $('h3 a', first.section)[0].focus();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest('input[type=search], textarea, [contenteditable]')) return;
  event.preventDefault();
  box.focus();
  box.select();
});
const reveal = (id) => {
  const target = document.getElementById(decodeURIComponent(id));
  if (target?.closest('[hidden]')) reset();
  return target;
};
addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
  if (!link) return;
  reveal(link.hash.slice(1));
  const menu = link.closest('[popover]');
  if (menu?.matches(':popover-open')) menu.hidePopover();
});
// Sections that were never rendered have an estimated height, so scrolling is repeated until the target's position is right.
const goTo = (target, tries) => {
  target.scrollIntoView({ behavior: 'instant' });
  const before = scrollY;
  requestAnimationFrame(() => setTimeout(() => {
    const { top } = target.getBoundingClientRect();
    if (tries > 0 && Math.abs(scrollY - before) < 2 && Math.abs(top - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)) > 2) goTo(target, tries - 1);
  }));
};
const arrive = () => {
  const target = location.hash === '' ? null : reveal(location.hash.slice(1));
  if (target) goTo(target, 6);
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
let current;
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
  if (last) mark(links.get(last.target.id));
}, { rootMargin: '-15% 0px -75% 0px' });
for (const section of $('.entry, #start')) reading.observe(section);
`;

/** The script of the reference. Without it the page is still complete. */
export const script = searching + examples + looks;
