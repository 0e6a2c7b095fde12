import type { Page } from '#core/kernel/page.js';
import { html, type Markup } from '../pages/html.js';
import { renderPage } from '../pages/page.js';
import { defaultPageTheme } from '../pages/theme.js';
import { clientFile, clientNames, goModulePath, goProxyPath, type ClientName } from './names.js';
import { clientPackage, type ClientPackage } from './packages.js';

/** The clients of the server at `baseUrl` that were built. */
export async function clientsOf(baseUrl: string): Promise<ClientPackage[]> {
  const found = await Promise.all(clientNames.map((name) => clientPackage(name, baseUrl)));
  return found.flatMap((each) => each ?? []);
}

/** How a client is described and installed. */
const facts: Readonly<
  Record<ClientName, { title: string; summary: string; commands: (url: string, baseUrl: string) => readonly string[] }>
> = {
  'svc-sdk': {
    title: 'SDK for TypeScript and JavaScript',
    summary:
      'Every operation as a typed method, with retries, paging, webhook signatures and sign-in; components for React, middleware for servers. For Node, browsers, Deno and Bun; it has no dependencies.',
    commands: (url) => [`npm install ${url}`],
  },
  svc_sdk: {
    title: 'SDK for Python',
    summary:
      'Every operation as a typed method, with and without async; retries, paging, webhook signatures and access tokens. Needs Python 3.9 or newer and httpx.',
    commands: (url) => [`pip install ${url}`],
  },
  'svc-go': {
    title: 'SDK for Go',
    summary:
      'Every operation as a typed method, with retries, paging, webhook signatures, access tokens and a middleware for net/http. Needs Go 1.19 or newer; it has no dependencies.',
    commands: (_, baseUrl) => [
      `GOPROXY=${baseUrl}${goProxyPath},$(go env GOPROXY) GONOSUMDB=svc.internal go get ${goModulePath}@latest`,
    ],
  },
  'svc-cli': {
    title: 'Command line',
    summary: 'Every operation as a command, and svc listen for webhooks on your machine. Needs Node 20.19 or newer.',
    commands: (url) => [`npm install -g ${url}`, 'svc login'],
  },
};

/** GET /clients for programs. */
export const clientsText = (clients: readonly ClientPackage[], baseUrl: string): string =>
  JSON.stringify({
    clients: clients.map(({ name, version, url, bytes, sha256, integrity }) => ({
      name,
      version,
      url,
      bytes,
      sha256,
      integrity,
      install: facts[name].commands(url, baseUrl)[0],
    })),
  });

/** GET /clients for people: what can be installed, and how. It is for developers and always in English. */
export const clientsPage = (clients: readonly ClientPackage[]): Page => ({
  path: '/clients',
  methods: ['GET'],
  answer: (_, { deployment: { baseUrl } }) =>
    Promise.resolve(
      renderPage({
        title: 'Clients',
        lang: 'en',
        theme: defaultPageTheme,
        styles,
        body: html`
          <div class="card">
            <h1>Clients of this server</h1>
            <p class="lead">
              ${`They match this server’s version and call ${baseUrl} by default. They contain no keys.`}
            </p>
            ${clients.length > 0 ? clients.map((each) => section(each, baseUrl)) : notBuilt}
            <h2>Agents and other languages</h2>
            <p>
              Agents reach the operations at <code>${`${baseUrl}/mcp`}</code>. Generators read${' '}<a
                href="/openapi.json"
                >openapi.json</a
              >. The <a href="/docs">documentation</a> has guides, and an example of every operation.
            </p>
          </div>
          <p class="muted">
            <small>After an upgrade of the server, come back and install the clients of its new version.</small>
          </p>
        `,
      }),
    ),
});

const notBuilt: Markup = html`<p>
  The clients of this server were not built. Run <code>npm run build</code> in its folder.
</p>`;

function section({ name, url, bytes, sha256 }: ClientPackage, baseUrl: string): Markup {
  const { title, summary, commands } = facts[name];
  return html`<section aria-labelledby=${name}>
    <h2 id=${name}>${title}</h2>
    <p>${summary}</p>
    <pre tabindex="0" role="region" aria-label=${`Commands of ${title}`}>${commands(url, baseUrl).join('\n')}</pre>
    <p class="muted">
      <small>
        <a href=${`/clients/${clientFile(name)}`}>${clientFile(name)}</a>
        ${`, ${Math.ceil(bytes / 1024)} KiB, SHA-256 `}<code>${sha256}</code>
      </small>
    </p>
  </section>`;
}

const styles = `
:root { --measure: 46rem; }
h2 { margin-top: 2rem; } section > p:last-child { margin-top: .5rem; }
pre { margin: 0; padding: 1rem; overflow-x: auto; white-space: pre-wrap; background: var(--background);
  border-radius: min(var(--radius), 8px); }
pre, code { font: .875rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; overflow-wrap: anywhere; }
main > p { margin: 1rem 0 0; }
`;
