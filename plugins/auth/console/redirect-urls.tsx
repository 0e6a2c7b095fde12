import {
  Button,
  call,
  Card,
  fieldProblem,
  operationNamed,
  OperationButton,
  Refusal,
  refusalFor,
  TextInput,
  useAction,
  useDraft,
} from '#core/surfaces/console/kit/index.js';
import { settingsTexts } from './texts.js';

/**
 * The stored list with a change. auth.settings.set replaces the list as a whole, and somebody else may have changed it
 * since the screen was read.
 */
async function changed(
  change: (urls: readonly string[]) => string[],
): Promise<{ redirectUrls: string[]; ifUnchangedSince?: string }> {
  const { result } = await call('auth.settings.get', {});
  const since = result.updatedAt === null ? {} : { ifUnchangedSince: result.updatedAt };
  return { redirectUrls: change(result.settings.redirectUrls), ...since };
}

/** Where sign-ins may return to. Each change is saved at once. */
export function RedirectUrls({ urls }: { urls: readonly string[] }) {
  const draft = useDraft<string>('settings new redirect URL');
  const url = draft.value ?? '';
  const { busy, problem, clear, run } = useAction();
  const atField = fieldProblem(problem, operationNamed('auth.settings.set')?.input ?? {});
  const add = async (): Promise<void> => {
    const added = (stored: readonly string[]): string[] => [...new Set([...stored, url.trim()])];
    if (await run('auth.settings.set', () => changed(added), 'Redirect URL added.'))
      draft.update((now) => (now === url ? undefined : now));
  };
  return (
    <Card title="Redirect URLs">
      <p class="soft">{urls.length === 0 ? settingsTexts.noRedirects : settingsTexts.redirects}</p>
      {urls.length === 0 ? null : (
        <ul class="plain-list">
          {urls.map((each) => (
            <li key={each}>
              <code>{each}</code>
              <OperationButton
                operation="auth.settings.set"
                action="Remove redirect URL"
                kind="small"
                input={{ redirectUrls: urls.filter((other) => other !== each) }}
                latest={() => changed((stored) => stored.filter((other) => other !== each))}
                done="Redirect URL removed"
              >
                <p>
                  <code>{each}</code>
                </p>
                <p>{settingsTexts.removeRedirect}</p>
              </OperationButton>
            </li>
          ))}
        </ul>
      )}
      <form
        class="add-url"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        {problem === undefined || atField ? null : <Refusal error={problem} />}
        <TextInput
          label="New redirect URL"
          value={url}
          mono
          placeholder="https://app.example.com"
          error={atField?.text}
          hint={settingsTexts.redirectForms}
          onInput={(text) => {
            draft.edit(text === '' ? undefined : text);
            clear();
          }}
        />
        <div class="row">
          <Button
            submit
            busy={busy}
            icon="plus"
            refused={refusalFor('auth.settings.set') ?? (url.trim() === '' ? 'Enter the URL to add.' : undefined)}
          >
            Add redirect URL
          </Button>
        </div>
      </form>
    </Card>
  );
}
