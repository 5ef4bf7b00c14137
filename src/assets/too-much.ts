/** The document exceeds a limit of size or nesting. The error name crosses the process boundary. */
export class TooMuch extends Error {
  override name = "TooMuch";
}
