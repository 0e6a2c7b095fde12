import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Empty } from './page.js';
import { Tabs } from './tabs.js';

interface EmailPreviewProps {
  /** Null or '' for an email without HTML. */
  html: string | null | undefined;
  /** The plain-text alternative. */
  text: string | null | undefined;
  /** Above the email: its sender and subject. */
  children?: ComponentChildren;
}

const views = ['Email', 'Plain text', 'HTML source'] as const;
const waitMs = 250;
const noDarkLook =
  'This email has no look for dark mode. Mail programs show it as it is, or change its colours themselves.';

/** Whether an email names images on other hosts. */
export const hasRemoteImages = (html: string): boolean =>
  /(?:src|srcset|background)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?\s*(?:https?:)?\/\//i.test(html);

/** Whether an email has its own look for dark mode. */
const adapts = (html: string): boolean => /color-scheme\s*:\s*[^;"'})]*dark|["']color-scheme["'][^>]*dark/i.test(html);

/**
 * The email with its media queries for light and dark decided, because a frame cannot be told what its reader prefers:
 * the query for the chosen scheme is made always true, and the other always false.
 */
export function inScheme(html: string, dark: boolean): string {
  const decided = html.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, scheme: string) =>
    (scheme.toLowerCase() === 'dark') === dark ? '(min-width: 0)' : '(max-width: 0)',
  );
  return adapts(html) ? `${decided}<style>:root{color-scheme:${dark ? 'dark' : 'light'}}</style>` : decided;
}

/**
 * An email as readers see it: in light or dark, on a wide screen or a phone, with its plain text and its source. The
 * HTML is shown by a frame without scripts (core/surfaces/console/preview-page.ts); images of other hosts load on
 * request.
 */
export function EmailPreview({ html, text, children }: EmailPreviewProps) {
  const [chosen, choose] = useState<(typeof views)[number]>();
  const [dark, setDark] = useState(false);
  const [phone, setPhone] = useState(false);
  const [images, setImages] = useState(false);
  const [hasHtml, hasText] = [(html ?? '') !== '', (text ?? '') !== ''];
  const view = chosen ?? (hasHtml || !hasText ? 'Email' : 'Plain text');
  return (
    <div class="email-preview">
      <div class="filters">
        <Tabs label="Form of the email" tabs={views} chosen={view} onChoose={choose} />
        {view === 'Email' && hasHtml ? (
          <span class="acts right">
            <Toggle on={dark} onToggle={setDark}>
              Dark
            </Toggle>
            <Toggle on={phone} onToggle={setPhone}>
              Phone
            </Toggle>
            {hasRemoteImages(html ?? '') ? (
              <Toggle on={images} onToggle={setImages}>
                {images ? 'Remote images loaded' : 'Load remote images'}
              </Toggle>
            ) : null}
          </span>
        ) : null}
      </div>
      {children}
      {view === 'Email' ? (
        hasHtml ? (
          <>
            {dark && !adapts(html ?? '') ? <p class="in faint">{noDarkLook}</p> : null}
            <PreviewFrame html={inScheme(html ?? '', dark)} images={images} look={phone ? 'phone' : ''} />
          </>
        ) : (
          <Empty title="This email has no HTML." />
        )
      ) : (
        <Source text={(view === 'Plain text' ? text : html) ?? ''} view={view} />
      )}
    </div>
  );
}

/** A button that stays pressed. */
export const Toggle = ({
  on,
  onToggle,
  children,
}: {
  on: boolean;
  onToggle: (on: boolean) => void;
  children: ComponentChildren;
}) => (
  <button type="button" class="b small" aria-pressed={on} onClick={() => onToggle(!on)}>
    {children}
  </button>
);

const Source = ({ text, view }: { text: string; view: string }) =>
  text === '' ? (
    <Empty title={view === 'Plain text' ? 'This email has no plain text.' : 'This email has no HTML.'} />
  ) : (
    <pre class="text in" tabIndex={0} aria-label={view}>
      {text}
    </pre>
  );

/** Links open in a new tab; `target` of a `<base>` holds wherever the element is, so the mail's own start is kept. */
const linksInNewTabs = '<base target="_blank">';

/**
 * Writes an email into the frame, whose policy runs no scripts; the frame's own parser reads the email. Does nothing
 * until the frame has loaded, because until then the policy of the console applies.
 */
function write(frame: HTMLIFrameElement | null, html: string): void {
  const shown = frame?.contentDocument;
  const view = shown?.defaultView;
  if (!shown || !view || shown.URL === 'about:blank') return;
  const email = new view.DOMParser().parseFromString(html + linksInNewTabs, 'text/html');
  // A document that has only begun has no element yet.
  shown.firstElementChild?.replaceWith(shown.adoptNode(email.documentElement));
}

/** A document in a frame that runs no scripts. */
export function PreviewFrame({
  html,
  images,
  look,
  title = 'The email as readers see it',
}: {
  html: string;
  /** Whether images of other hosts load. */
  images: boolean;
  look: string;
  title?: string;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    // While somebody types, the last state of a moment is enough. The first one is written when the frame has loaded.
    const timer = setTimeout(() => write(frame.current, html), waitMs);
    return () => clearTimeout(timer);
  }, [html]);
  return (
    <div class={`paper ${look}`}>
      <iframe
        key={String(images)}
        ref={frame}
        src={`/console/preview${images ? '?images=remote' : ''}`}
        title={title}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        onLoad={() => write(frame.current, html)}
      />
    </div>
  );
}
