import { readFileSync } from "node:fs";

/** What a brand declares of itself or of a product, as `facts.json` has it. Some are wrong on purpose. */
export interface DeclaredFact {
  id: string;
  brand: string;
  /** What answers call the product; the brand's own name where the fact is of the brand. */
  names: string[];
  attribute: string;
  kind: "quantity" | "price" | "feature" | "availability" | "date";
  value: number | boolean;
  unit: string | null;
}

export function declaredFacts(): DeclaredFact[] {
  // Safe: our own file, of this shape.
  return JSON.parse(readFileSync(new URL("facts.json", import.meta.url), "utf8")) as DeclaredFact[];
}
