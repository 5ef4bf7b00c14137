export type FactValue =
  /** Unit such as `g`, `h`, `km` or `lumens`; unknown units are compared literally. */
  | { kind: "number"; number: number; unit: string }
  /** A year, month or day: `2012`, `2012-05`, `2012-05-14`. */
  | { kind: "date"; date: string }
  | { kind: "price"; amount: number; currency: string }
  | { kind: "feature"; present: boolean }
  | { kind: "availability"; country: string; available: boolean }
  | { kind: "text"; text: string };

/** Value in words: `249 g`, `499.99 EUR`, `yes`, `not in DE`. */
export function formatFact(value: FactValue): string {
  switch (value.kind) {
    case "number":
      return `${value.number} ${value.unit}`;
    case "date":
      return value.date;
    case "price":
      return `${value.amount} ${value.currency}`;
    case "feature":
      return value.present ? "yes" : "no";
    case "availability":
      return `${value.available ? "" : "not "}in ${value.country}`;
    default:
      return value.text;
  }
}
