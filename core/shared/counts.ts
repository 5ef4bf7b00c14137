const WHOLE = new Intl.NumberFormat("en-US");

/** Integer for display: `10,956`. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** Integer with noun: `1 credit`, `2 credits`, `1,000 credits`. */
export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}
