import { parseJson } from "../../core/json.ts";
import type { MadeOf } from "../call/kept-results.ts";

/** A result as JSON text in UTF-8, in parts that are passed on as they are. */
export class JsonBytes {
  readonly parts: readonly Uint8Array[];
  readonly madeOf: MadeOf | undefined;

  constructor(parts: readonly Uint8Array[], madeOf?: MadeOf) {
    this.parts = parts;
    this.madeOf = madeOf;
  }

  /** Bytes. */
  get length(): number {
    return this.parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  text(): string {
    const [first, ...more] = this.parts;
    const bytes = first && more.length === 0 ? first : Buffer.concat(this.parts);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  }

  /** What the text says, for who needs the result itself. */
  value(): unknown {
    return parseJson(this.text());
  }
}
