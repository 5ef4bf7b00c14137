/** A size or nesting limit is exceeded. The error name crosses the process boundary. */
export class TooMuch extends Error {
  override name = "TooMuch";
}
