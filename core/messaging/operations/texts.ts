/** What readers and the search learn about an operation, in the words of its channel. */
export interface Texts {
  readonly summary: string;
  readonly description?: string;
  readonly keywords: string;
}
