import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { cliExample, curlExample, mcpExample, pythonExample, sdkExample } from '../../reference/examples.js';
import { goExample } from '../../reference/go-example.js';
import type { ConsoleOperation } from '../shared.js';
import { madeCalls } from './client.js';
import { formAddress } from './address.js';
import { Dialog } from './dialog.js';
import { CopyButton } from './page.js';
import { catalogue, operationNamed, type Row } from './state.js';

/* The request behind a form or a screen, ready to be pasted into a program. Keys are never shown. */

const languages = ['curl', 'TypeScript', 'Python', 'Go', 'CLI', 'MCP'] as const;
type CodeLanguage = (typeof languages)[number];

const languageName = 'svc-console-language';

/** The language of all drawers. The browser remembers it. */
const chosen = signal<CodeLanguage>(
  languages.find((each) => each === localStorage.getItem(languageName)) ?? languages[0],
);

const choose = (language: CodeLanguage): void => {
  chosen.value = language;
  localStorage.setItem(languageName, language);
};

function codeOf(language: CodeLanguage, operation: ConsoleOperation, input: Row): string {
  const { name, access, destructive = false } = operation;
  const call = { name, access, impact: { destructive }, example: { input } };
  switch (language) {
    case 'curl':
      return curlExample(call, catalogue.value?.baseUrl ?? location.origin);
    case 'TypeScript':
      return sdkExample(call);
    case 'Python':
      return pythonExample(call, operation.input);
    case 'Go':
      return goExample(call, catalogue.value?.go ?? { inputs: {}, structs: {} });
    case 'CLI':
      return cliExample(call);
    case 'MCP':
      return mcpExample(call);
  }
}

/** Texts of code in colour; everything else as it is. */
const Code = ({ text }: { text: string }) => (
  <code>
    {text
      .split(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/)
      .map((part, index) => (index % 2 === 1 ? <span class="s">{part}</span> : part))}
  </code>
);

/** The call of an operation, as curl, TypeScript, Python, Go, command line and MCP. */
export function CallDrawer({ operation, input }: { operation: ConsoleOperation; input: Row }) {
  const language = chosen.value;
  const id = useId();
  const code = codeOf(language, operation, input);
  return (
    <section class="drawer" aria-label="The request behind this form">
      <header>
        <div role="tablist" aria-label="Language">
          {languages.map((each) => (
            <button
              type="button"
              role="tab"
              id={`${id}-${each}`}
              aria-selected={each === language}
              aria-controls={`${id}-code`}
              tabIndex={each === language ? 0 : -1}
              onClick={() => choose(each)}
              onKeyDown={(event) => {
                const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
                if (step === undefined) return;
                const next = languages[(languages.indexOf(each) + step + languages.length) % languages.length] ?? each;
                choose(next);
                document.getElementById(`${id}-${next}`)?.focus();
              }}
            >
              {each}
            </button>
          ))}
        </div>
        <CopyButton text={code} label={`Copy as ${language}`} />
      </header>
      <pre id={`${id}-code`} role="tabpanel" aria-labelledby={`${id}-${language}`} tabIndex={0}>
        <Code text={code} />
      </pre>
      {language !== 'curl' && language !== 'MCP' ? (
        <p class="get">
          <a href="/clients">{language === 'CLI' ? 'Install the command line' : 'Install the SDK'}</a> from this server.
        </p>
      ) : null}
    </section>
  );
}

/** The calls that the screen has made, newest first. */
export function MadeCalls({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="The calls behind this screen" onClose={onClose}>
      {madeCalls.value.length === 0 ? <p class="soft">This screen has made no calls yet.</p> : null}
      <div class="stack">
        {madeCalls.value.slice(0, 8).map(({ operation, input, ms, code }) => {
          const known = operationNamed(operation);
          return (
            <div class="stack tight">
              <p class="row">
                {/* Inputs of writes may hold secrets, which addresses must not. */}
                <a href={formAddress(operation, known?.read ? input : {})}>{operation}</a>
                <span class="faint">{code ?? `${ms} ms`}</span>
              </p>
              {known ? <CallDrawer operation={known} input={input} /> : null}
            </div>
          );
        })}
      </div>
      <form method="dialog" class="row end">
        <button class="b">Close</button>
      </form>
    </Dialog>
  );
}
