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
