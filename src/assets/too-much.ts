/** A document that holds more than is read of one, or is nested deeper. Its name goes to the process that asked. */
export class TooMuch extends Error {
  override name = "TooMuch";
}
