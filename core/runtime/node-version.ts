/** The oldest version that runs svc. */
const oldest = [20, 19] as const;
/** Versions below this one get no security fixes any more: Node 20 reached its end of life on 30 April 2026. */
const oldestMaintained = 22;

/**
 * What is wrong with a version of Node: it is too old for svc, or has reached its end of life.
 * @param version such as 24.1.0; by default the version of this process
 * @returns sentences for people, the second of which names the next step; undefined for a version that is maintained
 */
export function nodeProblem(
  version = process.versions.node,
): { message: string; fix: string; isTooOld: boolean } | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isTooOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  if (isTooOld) return { message: `Node ${version} is too old for svc.`, fix: 'Install Node 22 or 24.', isTooOld };
  if (major >= oldestMaintained) return undefined;
  return {
    message: `Node ${major} has reached its end of life and gets no security fixes.`,
    fix: 'Install Node 22 or 24.',
    isTooOld,
  };
}
