import bowser from 'bowser';

export interface DeviceFacts {
  browser: string | null;
  os: string | null;
  kind: string | null;
}

const maxParsed = 400;

/** What a User-Agent header says of browser, system and kind of device; nulls where it says nothing. */
export function deviceFacts(userAgent: string | null): DeviceFacts {
  if (!userAgent) return { browser: null, os: null, kind: null };
  const { browser, os, platform } = bowser.parse(userAgent.slice(0, maxParsed));
  const named = (name: string | undefined, version: string | undefined): string | null =>
    name ? [name, version?.split('.')[0]].filter(Boolean).join(' ').slice(0, 80) : null;
  return {
    browser: named(browser.name, browser.version),
    os: named(os.name, os.versionName ?? os.version),
    kind: platform.type ?? null,
  };
}
