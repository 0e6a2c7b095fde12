import bowser from 'bowser';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import type { Language } from '#core/kernel/language.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { deploymentSettings } from '../deployment/settings.js';
import type { SessionRow } from '../tables/session.js';

interface DeviceFacts {
  browser: string | null;
  os: string | null;
  kind: string | null;
}

const maxParsed = 400;

/** The browser, system and kind of device in a User-Agent header; null for what it does not contain. */
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

/**
 * The location of an address, according to the deployment's GeoIP file: “Berlin, Germany”; null if the file does not
 * contain it, or the file is missing.
 */
export const locationOf = (deployment: Deployment, ip: string, language: Language = 'en'): string | null =>
  deployment.settingsOf(deploymentSettings).geoip?.(ip, language) ?? null;

type ClientFacts = Pick<SessionRow, 'ip' | 'location' | 'userAgent' | 'browser' | 'os' | 'deviceKind'>;

/** The facts that a session stores about the client by which it was opened or refreshed. */
export function clientFacts(deployment: Deployment, { ip, userAgent }: RequestFacts): ClientFacts {
  const { browser, os, kind } = deviceFacts(userAgent);
  return {
    ip,
    location: locationOf(deployment, ip),
    userAgent: userAgent?.slice(0, maxParsed) ?? null,
    browser,
    os,
    deviceKind: kind,
  };
}
