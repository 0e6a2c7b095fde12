import { settings as passwordSettings } from './passwords/settings.js';

/** The deployment's settings for sign-in, by feature. */
export const deploymentSettings = { ...passwordSettings } as const;
