import { parseJson } from "../../core/json.ts";

/** A result as JSON text in UTF-8, in parts that are passed on as they are. */
export class JsonBytes {
  readonly parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }

  /** What the text says, for who needs the result itself. */
  value(): unknown {
    return parseJson(Buffer.concat(this.parts).toString("utf8"));
  }
}
