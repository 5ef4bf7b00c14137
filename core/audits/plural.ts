/** "1 table", "2 tables". */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const has = (count: number) => (count === 1 ? "has" : "have");
export const is = (count: number) => (count === 1 ? "is" : "are");
