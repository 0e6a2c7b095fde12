import { expect } from 'chai';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings, SettingsError } from '#config/read.js';
import { settings } from '#plugins/email/deployment/settings.js';

/** What stops a start with this SVC_SMTP_URL. */
function problemsOf(url: string): readonly string[] {
  try {
    readSettings(coreSettings, [settings], { SVC_SMTP_URL: url });
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('SVC_SMTP_URL', () => {
  for (const query of ['', '?maxConnections=10&requireTLS=true', '?tls.rejectUnauthorized=false&name=mail.example.com'])
    it(`may have ${query === '' ? 'no parameters' : query}`, () => {
      expect(problemsOf(`smtp://user:secret@mail.example.com:587${query}`)).to.deep.equal([]);
    });

  for (const [query, said] of [
    ['?requireTls=true', 'use requireTLS'],
    ['?pool=5', 'it may have authMethod, connectionTimeout,'],
  ] as const)
    it(`stops the start with ${query}, which would be ignored`, () => {
      const [problem, ...others] = problemsOf(`smtp://user:secret@mail.example.com:587${query}`);
      expect(others).to.deep.equal([]);
      expect(problem).to.match(/^SVC_SMTP_URL has the unknown parameter/);
      expect(problem).to.include(said).and.not.to.include('secret');
    });
});
