/**
 * A script for pages with forms: a form is submitted once. A second click before the answer is there would submit it
 * again, and the browser shows the answer to that: a code that was used already, and nobody signed in. After ten
 * seconds it may be submitted again, for an answer that never came, and at once when the page is shown again by the
 * back button.
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
