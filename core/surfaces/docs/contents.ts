/*
 * The documents of the site, in the order of its navigation. A document is a Markdown file of the repository; a test
 * checks that every file in docs/ is listed here.
 */

/** A document of the site. */
export interface DocumentEntry {
  /** Path in the repository. */
  readonly file: string;
  /** Its address below /docs. */
  readonly slug: string;
  /** Title in the navigation. */
  readonly title: string;
  /** What it is about, for the start page of the site and llms.txt. */
  readonly summary: string;
}

interface Chapter {
  readonly title: string;
  readonly documents: readonly DocumentEntry[];
}

/** A document in docs/, whose address is its file's name. */
const inDocs = (slug: string, title: string, summary: string): DocumentEntry => ({
  file: `docs/${slug}.md`,
  slug,
  title,
  summary,
});

export const chapters: readonly Chapter[] = [
  {
    title: 'Get started',
    documents: [
      {
        file: 'README.md',
        slug: 'start',
        title: 'First steps',
        summary: 'Start svc; send a first mail, broadcast and text; sign in a first user; charge for usage.',
      },
      inDocs('using', 'Using svc', 'Contacts and consent, webhooks, the SDK, the command line, MCP for agents.'),
      inDocs('react', 'React', 'Sign users in and keep them signed in, in a React app.'),
      inDocs('nextjs', 'Next.js', 'Send mail, sign users in and receive webhooks in a Next.js app.'),
      inDocs('frameworks', 'Servers', 'Users and webhooks in Express, Koa, Fastify and Hono.'),
      inDocs('python-frameworks', 'FastAPI and Django', 'Users and webhooks in servers written in Python.'),
      inDocs('console', 'The console', 'svc in the browser, screen by screen.'),
      {
        file: 'examples/README.md',
        slug: 'examples',
        title: 'Examples',
        summary: 'Small programs to start from.',
      },
      inDocs('questions', 'Questions', 'Short answers to what new users ask, and where to read more.'),
    ],
  },
  {
    title: 'Email',
    documents: [
      inDocs('domains', 'Sending domains', 'DNS records, DKIM signatures, sending rates.'),
      inDocs('templates', 'Templates', 'Texts, languages, the look, attachments, system mail.'),
      inDocs('broadcasts', 'Broadcasts', 'Newsletters: readiness, states, counts, how they are made and sent.'),
      inDocs('automations', 'Automations', 'Events, conditions, steps, and the effect of changes.'),
      inDocs('delivery', 'Delivery and bounces', 'Return paths, bounces, complaints, providers’ callbacks.'),
      inDocs('connect', 'Connect an app', 'SMTP for Ghost, WordPress, Grafana, Gitea, Nextcloud, Django and others.'),
      inDocs('inbound', 'Received mail', 'Domains, the SMTP receiver, providers, what is stored and refused.'),
    ],
  },
  {
    title: 'Other products',
    documents: [
      inDocs('sign-in', 'Sign-in', 'Methods, second factors, sessions and tokens, providers, users, organizations.'),
      inDocs('hosted-pages', 'Hosted pages', 'The pages of sign-in, and how apps use them.'),
      inDocs('openid', 'Sign in to other software', 'OpenID Connect: Grafana, Gitea, Nextcloud, and what an app gets.'),
      inDocs(
        'texts',
        'Text messages',
        'Providers, numbers, registration, keywords and their answers, sign-in by text.',
      ),
      inDocs('billing', 'Billing', 'Prices, metering, the cap, months and invoices, collection by Stripe or by hand.'),
    ],
  },
  {
    title: 'Guides',
    documents: [
      inDocs('interface', 'Rules of every call', 'Keys, idempotency, errors, limits, events, versions.'),
      {
        file: 'core/surfaces/sdk/README.md',
        slug: 'sdk',
        title: 'SDK for TypeScript',
        summary: 'Typed calls, lists, retries, webhook signatures, sessions and access tokens.',
      },
      inDocs('python', 'SDK for Python', 'Install, send, page, verify webhooks and access tokens, sync and async.'),
      inDocs('go', 'SDK for Go', 'Install, send, page, verify webhooks and access tokens, middleware for net/http.'),
      {
        file: 'core/surfaces/cli/README.md',
        slug: 'command-line',
        title: 'Command line',
        summary: 'Install svc, sign in, and call every operation.',
      },
      inDocs(
        'moving',
        'Moving to svc',
        'From Mailchimp, Resend, Postmark, Customer.io, Twilio, Clerk, Auth0 and Firebase.',
      ),
    ],
  },
  {
    title: 'Operating',
    documents: [
      inDocs('operating', 'Operating svc', 'Database, mail, several nodes, proxies, backups, upgrades, metrics.'),
      inDocs('alerts', 'Alerts', 'What each alert of the Prometheus rules means, and what to do.'),
      inDocs('reliability', 'Reliability', 'The guarantees, and the tests that check them.'),
      inDocs('security', 'Security model', 'Who may call what, what proves an address, what ends a session.'),
      inDocs('performance', 'Performance', 'Limits, targets and measurements.'),
      inDocs('scaling', 'Scaling', 'What a message costs, and what becomes the limit as a deployment grows.'),
      {
        file: 'SECURITY.md',
        slug: 'reporting-vulnerabilities',
        title: 'Reporting vulnerabilities',
        summary: 'How to report one, and what svc defends against.',
      },
      { file: 'CHANGELOG.md', slug: 'changelog', title: 'Changelog', summary: 'What changed in each version.' },
    ],
  },
  {
    title: 'Contributing',
    documents: [
      {
        file: 'CONTRIBUTING.md',
        slug: 'development',
        title: 'Changing svc',
        summary: 'Setup, rules for code and language, tests, commits.',
      },
      inDocs('architecture', 'Architecture', 'The folders, the path of a request and its work.'),
      inDocs('plugins', 'Writing a product', 'A product of your own, as a plugin.'),
      inDocs('contributing', 'How to', 'Add an operation, a language, an SMS provider, a provider’s callback.'),
      {
        file: 'docs/decisions/README.md',
        slug: 'decisions',
        title: 'Decisions',
        summary: 'Design decisions and their reasons.',
      },
    ],
  },
];

/** Their records are the pages below /docs/decisions. */
export const decisionsFolder = 'docs/decisions';
