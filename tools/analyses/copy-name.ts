const NAME_LENGTH = 200;
const COPY = " (copy)";

export function copyName(name: string): string {
  return `${name.slice(0, NAME_LENGTH - COPY.length)}${COPY}`;
}
