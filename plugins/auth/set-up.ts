import type { WorkerServices } from '#core/kernel/services.js';
import { deploymentSettings } from './deployment/settings.js';
import { setHashThreads } from './passwords/hash-pool.js';
import { prepareDashboard } from './settings/dashboard.js';

/** What auth does at each start. See `setUp` in the kernel's plugin.ts. */
export async function setUp(services: WorkerServices): Promise<void> {
  setHashThreads(services.deployment.settingsOf(deploymentSettings).passwordThreads);
  await prepareDashboard(services);
}
