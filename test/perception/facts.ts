import { readFileSync } from "node:fs";

/** Declared fact of a brand or product in `facts.json`; some are wrong on purpose. */
export interface DeclaredFact {
  id: string;
  brand: string;
  /** Names of the product in answers, or the brand's name. */
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
