/**
 * A script for pages with forms: a form is submitted once. A second click before the answer arrives would submit it
 * again, and the browser would show the answer to that: the code was already used, and nobody is signed in. After ten
 * seconds the form may be submitted again, in case the answer was lost, and immediately when the back button shows the
 * page again.
 */
export const submitOnce = `{
let until = 0;
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  if (Date.now() < until) event.preventDefault();
  else until = Date.now() + 10_000;
});
window.addEventListener('pageshow', () => { until = 0; });
}`;
