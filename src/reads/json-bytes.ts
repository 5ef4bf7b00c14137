import { parseJson } from "../../core/shared/json.ts";

/** UTF-8, in parts that are forwarded without parsing. */
export class JsonBytes {
  readonly parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }

  text(): string {
    const [first, ...more] = this.parts;
    const bytes = first && more.length === 0 ? first : Buffer.concat(this.parts);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  }

  value(): unknown {
    return parseJson(this.text());
  }
}
