/**
 * The script of pages that use a passkey. It shows the form, which does not work without it, in place of the advice for
 * browsers that run no scripts. The form contains the options in `data-options` and receives the authenticator's
 * response in the field `response`. Nothing is fetched.
 */
export const passkeyScript = `
const form = document.querySelector('form[data-options]');
const problem = document.getElementById('passkey-problem');
const say = (text) => { problem.hidden = false; problem.querySelector('p').textContent = text; };
form.hidden = false;
document.getElementById('no-script').hidden = true;
const key = globalThis.PublicKeyCredential;
if (!key || !key.parseRequestOptionsFromJSON) {
  form.querySelector('button').disabled = true;
  say(form.dataset.unsupported);
}
let isAsking = false;
form.addEventListener('submit', async (event) => {
  if (form.elements.response.value) return;
  event.preventDefault();
  // A browser refuses a second ceremony while its prompt is open.
  if (isAsking) return;
  isAsking = true;
  problem.hidden = true;
  const options = JSON.parse(form.dataset.options);
  const create = form.dataset.ceremony === 'create';
  try {
    const credential = create
      ? await navigator.credentials.create({ publicKey: key.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: key.parseRequestOptionsFromJSON(options) });
    form.elements.response.value = JSON.stringify(credential.toJSON());
    form.requestSubmit(form.querySelector('button'));
  } catch (error) {
    say(create && error.name === 'InvalidStateError' ? form.dataset.onDevice : form.dataset.failed);
  } finally {
    isAsking = false;
  }
});
`;
