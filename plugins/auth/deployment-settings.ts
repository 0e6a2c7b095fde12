import { settings as passwordSettings } from './passwords/settings.js';
import { settings as sessionSettings } from './sessions/settings.js';

/** The deployment's settings for sign-in, by feature. */
export const deploymentSettings = { ...passwordSettings, ...sessionSettings } as const;
