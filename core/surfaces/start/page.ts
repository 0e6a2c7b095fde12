import type { Page, PageRequest, StartLink } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html, type Markup } from '../pages/html.js';
import { renderPage } from '../pages/page.js';
import { defaultPageTheme } from '../pages/theme.js';
import { curlExample, keyVariable } from '../reference/examples.js';
import { firstCall } from '../reference/introduction.js';

/** The addresses that a newcomer needs, as whole URLs. */
const addressesOf = (baseUrl: string) => ({
  docs: `${baseUrl}/docs`,
  reference: `${baseUrl}/docs/reference`,
  llms: `${baseUrl}/llms.txt`,
  openapi: `${baseUrl}/openapi.json`,
  mcp: `${baseUrl}/mcp`,
  clients: `${baseUrl}/clients`,
});

/** GET / for programs: where everything is, as JSON. */
export const startText = ({ catalogue, deployment: { baseUrl } }: Services): string =>
  JSON.stringify({
    service: 'svc',
    products: [...catalogue.products.keys()],
    ...addressesOf(baseUrl),
    calls: `POST ${baseUrl}/<operation, with slashes for dots>, with a JSON object as the body and Authorization: Bearer <key>`,
  });

/** GET / for people: what this is and where to go. It is for developers and always in English. */
export const startPage = (pages: readonly Page[]): Page => ({
  path: '/',
  methods: ['GET'],
  answer: (request, services) =>
    Promise.resolve(
      renderPage({
        title: 'svc',
        lang: 'en',
        theme: defaultPageTheme,
        styles,
        body: html`
          <div class="card">
            <h1>This is an svc server</h1>
            <p class="lead">
              ${`svc is a self-hosted platform whose products programs call over HTTP. Here are ${listOf([...services.catalogue.products.keys()])}.`}
            </p>
            <ul class="ways">
              ${[...consoleLink(services), ...ownLinks, ...linksOf(pages, request, services)].map(way)}
            </ul>
            ${firstSteps(services)}
          </div>
          <p class="muted">
            <small
              >If a message or a website led you here, its link was not complete: open it once more, or ask whoever sent
              it.</small
            >
          </p>
        `,
      }),
    ),
});

const consoleLink = ({ deployment }: Services): StartLink[] =>
  deployment.settings.console === 'on'
    ? [{ path: '/console', title: 'Console', summary: 'Everything svc does, in the browser.' }]
    : [];

const ownLinks: readonly StartLink[] = [
  {
    path: '/docs',
    title: 'Documentation',
    summary: 'Guides, and the reference of every operation, event, error and setting.',
  },
  {
    path: '/openapi.json',
    title: 'openapi.json',
    summary: 'The same for programs and generators. MCP clients use /mcp.',
  },
  {
    path: '/clients',
    title: 'Clients',
    summary: 'The SDKs for TypeScript, Python and Go, and the command line, to install from this server.',
  },
];

const linksOf = (pages: readonly Page[], request: PageRequest, services: Services): StartLink[] =>
  pages.flatMap((page) => page.startLink?.(request, services) ?? []);

const way = ({ path, title, summary }: StartLink): Markup =>
  html`<li>
    <a href=${path}>${title}</a>
    <span class="muted">${summary}</span>
  </li>`;

function firstSteps({ catalogue, deployment }: Services): Markup {
  const call = firstCall(catalogue);
  if (!call) return undefined;
  return html`<section aria-labelledby="first">
    <h2 id="first">First call</h2>
    <p>
      ${
        deployment.production
          ? 'Take a key that an owner of your account created, and call:'
          : [
              'The first start wrote keys to ',
              html`<code>${`${deployment.settings.stateDir}/first-run.json`}</code>`,
              '. Take one and call:',
            ]
      }
    </p>
    <pre tabindex="0" role="region" aria-label="Commands of the first call">
${[`export ${keyVariable}=…`, curlExample(call, deployment.baseUrl)].join('\n')}</pre>
  </section>`;
}

/** `a, b and c`. */
const listOf = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);

const styles = `
:root { --measure: 46rem; }
.ways { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--border); }
.ways li { border-bottom: 1px solid var(--border); padding-block: .25rem .75rem; }
.ways a { display: flex; align-items: center; min-height: 44px; font-weight: 600; } .ways span { display: block; margin-top: -.375rem; }
pre { margin: 0; padding: 1rem; overflow-x: auto; white-space: pre-wrap; background: var(--background);
  border-radius: min(var(--radius), 8px); }
pre, code { font: .875rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; }
main > p { margin: 1rem 0 0; }
`;
