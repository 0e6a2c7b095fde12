import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  acting,
  escapeHtml,
  has,
  Loading,
  Notice,
  PagePreview,
  Refusal,
  Tabs,
  themeRules,
  useLater,
  useRead,
  webAddress,
  type PageTheme,
} from '#core/surfaces/console/kit/index.js';
import { sampleMail, themeTexts } from './texts.js';

const views = ['Sign-in page', 'Email'] as const;
type View = (typeof views)[number];

/** What a theme that is not saved yet makes of the real sign-in page, and of an email in the layout. */
export function ThemePreview({ theme }: { theme: PageTheme }) {
  const offered = views.filter((view) => has(view === 'Email' ? 'email.template.preview' : 'auth.settings.get'));
  const [chosen, choose] = useState<View>();
  const view = chosen ?? offered[0];
  if (view === undefined) return null;
  const tabs = <Tabs label="What the preview shows" tabs={offered} chosen={view} onChoose={choose} />;
  return (
    <section class="card" aria-label="Preview">
      {view === 'Email' ? <MailPreview theme={theme} tabs={tabs} /> : <SignInPreview theme={theme} tabs={tabs} />}
    </section>
  );
}

interface PreviewProps {
  theme: PageTheme;
  tabs: ComponentChildren;
}

/**
 * The page with other values in place of the published ones: its custom properties, its brand and the links of its
 * footer. Nothing in it can be pressed.
 */
function inTheme(html: string, theme: PageTheme): string {
  const logo = webAddress(theme.logoUrl, ['https:']);
  const image = logo === null ? '' : `<img src="${escapeHtml(logo)}" alt="">`;
  const help = [theme.supportUrl === null ? '' : 'Help', theme.supportEmail ?? ''].filter((text) => text !== '');
  return html
    .replace('</head>', () => `<style>${themeRules(theme)}</style></head>`)
    .replace('<body', '<body inert')
    .replaceAll(/ autofocus(?:="[^"]*")?(?=[\s/>])/g, '')
    .replace(
      /(<header class="frame">).*?(<\/header>)/s,
      (_, start: string, end: string) =>
        `${start}<span class="brand">${image}<bdi>${escapeHtml(theme.brandName)}</bdi></span>${end}`,
    )
    .replace(
      /(<footer class="frame foot">).*?(<\/footer>)/s,
      (_, start: string, end: string) =>
        `${start}${help.map((text) => `<a href="#">${escapeHtml(text)}</a>`).join('')}${end}`,
    );
}

/** The page as somebody who is not signed in gets it: without cookies, so that it neither reads nor starts anything. */
async function signInPage(environmentId: string): Promise<string> {
  const answer = await fetch(`/auth/${encodeURIComponent(environmentId)}/signin`, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`${themeTexts.noPage} The server answered with ${answer.status}.`);
  return answer.text();
}

function SignInPreview({ theme, tabs }: PreviewProps) {
  const environmentId = acting.value?.environmentId;
  const [page, keep] = useState<string>();
  const [problem, fail] = useState('');
  useEffect(() => {
    if (environmentId === undefined) return;
    const state = { left: false };
    signInPage(environmentId).then(
      (html) => (state.left ? undefined : keep(html)),
      (error: unknown) => (state.left ? undefined : fail(error instanceof Error ? error.message : themeTexts.noPage)),
    );
    return () => {
      state.left = true;
    };
  }, [environmentId]);
  if (page === undefined)
    return (
      <>
        <div class="filters">{tabs}</div>
        {problem === '' ? <Loading /> : <Notice tone="bad">{problem}</Notice>}
      </>
    );
  return (
    <PagePreview html={inTheme(page, theme)} title="The sign-in page in this theme">
      {tabs}
    </PagePreview>
  );
}

function MailPreview({ theme, tabs }: PreviewProps) {
  const later = useLater(theme);
  const { data, error } = useRead('email.template.preview', {
    content: { ...sampleMail, text: null },
    layout: true,
    theme: later,
  });
  const last = useRef('');
  if (data) last.current = data.html;
  return (
    <>
      {error ? (
        <div class="in">
          <Refusal error={error} />
        </div>
      ) : null}
      {last.current === '' ? (
        <>
          <div class="filters">{tabs}</div>
          {error ? null : <Loading />}
        </>
      ) : (
        <PagePreview html={last.current} title="An email in this theme">
          {tabs}
        </PagePreview>
      )}
    </>
  );
}
