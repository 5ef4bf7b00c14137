/** Count with its noun in singular or plural: "1 table", "2 tables". */
export const countNoun = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const hasOrHave = (count: number) => (count === 1 ? "has" : "have");
export const isOrAre = (count: number) => (count === 1 ? "is" : "are");
