const INTEGER_FORMAT = new Intl.NumberFormat("en-US");

export function formatInteger(value: number): string {
  return INTEGER_FORMAT.format(value);
}

/** Integer with noun: `1 credit`, `2 credits`, `1,000 credits`. */
export function formatCount(value: number, noun: string, nouns = `${noun}s`): string {
  return `${formatInteger(value)} ${value === 1 ? noun : nouns}`;
}
