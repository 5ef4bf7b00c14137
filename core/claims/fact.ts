/** What a brand declares of itself under one attribute, by its kind: answers are held against it. */
export type FactValue =
  /** In a unit such as `g`, `h`, `km` or `lumens`; one that is not known is compared as it is written. */
  | { kind: "number"; number: number; unit: string }
  /** A year, month or day: `2012`, `2012-05`, `2012-05-14`. */
  | { kind: "date"; date: string }
  | { kind: "price"; amount: number; currency: string }
  | { kind: "feature"; present: boolean }
  | { kind: "availability"; country: string; available: boolean }
  | { kind: "text"; text: string };

/** A value in a few words: `249 g`, `499.99 EUR`, `yes`, `not in DE`. */
export function factText(value: FactValue): string {
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
