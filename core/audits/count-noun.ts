export const countNoun = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const hasOrHave = (count: number) => (count === 1 ? "has" : "have");
export const isOrAre = (count: number) => (count === 1 ? "is" : "are");
