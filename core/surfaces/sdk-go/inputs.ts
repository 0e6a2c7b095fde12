/** What examples in Go need to know about inputs. It has no imports, because the console reads it in browsers. */
export interface GoInputs {
  /** The struct of an operation's input, by the operation, unless it is named after the operation. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The types of the fields of each struct, by the interface's names. Fields of type `*string` are left out. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
