/** Does an endpoint with this filter want events of this type? Names match exactly; `product.*` matches all of a product's. */
export function wants(eventTypes: readonly string[], type: string): boolean {
  if (eventTypes.length === 0) return true;
  return eventTypes.some((each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))));
}
