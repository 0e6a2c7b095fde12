import { shareTexts, type SettingDeclarations } from '#config/declare.js';
import { html, type Markup } from '../pages/html.js';
import type { Prose } from '../reference/prose.js';

/** The page of all settings. @param groups of svc itself and of each product */
export const settingsPage = (groups: readonly SettingDeclarations[], prose: Prose): Markup =>
  html`<section class="group">
    <h1>Settings</h1>
    <div class="lead">
      <p>
        All settings are environment variables, read once at startup. If one is invalid or unknown, svc does not start
        and says what to do.
      </p>
    </div>
    <dl class="settings">
      ${groups
        .flatMap((group) => Object.values(group))
        .map(
          ({ variable, share, description, defaultText }) =>
            html`<div id=${variable}>
              <dt>
                <a href=${`#${variable}`}><code>${variable}</code></a>
              </dt>
              <dd>
                <p>${prose(description)}</p>
                <p class="default">Default: ${prose(defaultText)}. Nodes: ${shareTexts[share]}.</p>
              </dd>
            </div>`,
        )}
    </dl>
  </section>`;
