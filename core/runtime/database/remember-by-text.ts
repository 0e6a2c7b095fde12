/** The texts of the code are few. Longer ones mostly hold values and are used once. */
const rememberedTexts = 1_000;
const longestRemembered = 2_048;

/** The function of an SQL text, which computes the result of each text of the code once. */
export function rememberByText<T>(compute: (sql: string) => T): (sql: string) => T {
  const known = new Map<string, T>();
  return (sql) => {
    if (sql.length > longestRemembered) return compute(sql);
    const found = known.get(sql);
    if (found !== undefined) return found;
    if (known.size >= rememberedTexts) known.clear();
    const made = compute(sql);
    known.set(sql, made);
    return made;
  };
}
